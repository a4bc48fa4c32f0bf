/** Every bound that input can reach, with its unit and its reason. Nothing else may bound by a bare number. */

/** Configuration. */
export const LIMITS = {
  /** Aliases of one domain: ten times what a large organisation has. */
  aliasesMax: 100_000,
  /** Rules of one domain: ten times the largest that is measured. */
  rulesMax: 100_000,
  /** Code units of an alias: a local part has 64 octets (RFC 5321 §4.5.3.1.1), a pattern needs more. */
  aliasUnitsMax: 1_024,
  /** Code units of a `forward`: 100 destinations of ordinary length. */
  forwardUnitsMax: 10_000,
  /** Destinations of one `forward`: RFC 5321 §4.5.3.1.8 makes servers take 100 recipients. */
  destinationsMax: 100,
  /** Code units of a webhook URL: what common HTTP servers accept. */
  webhookUnitsMax: 2_048,
  /** Octets of a local part and of a domain name: RFC 5321 §4.5.3.1.1, RFC 1035 §2.3.4. */
  localPartOctetsMax: 64,
  domainOctetsMax: 253,

  /** Code units of a fact that rules see; what is longer is cut, so that no message buys unbounded work. */
  factUnitsMax: 1_048_576,

  /** Code units of a pattern's source. */
  patternUnitsMax: 1_024,
  /** Largest count in `x{n,m}`. */
  patternRepeatMax: 100,
  /** Steps of the expanded program; classes of many ranges weigh more. */
  patternStepsMax: 500,
  /** Groups within groups. */
  patternDepthMax: 50,

  /** Code units of a CEL expression. */
  celUnitsMax: 3_000,
  /** Nodes of a CEL expression's tree, macros not expanded. */
  celNodesMax: 2_000,
  /** Nesting of a CEL expression. */
  celDepthMax: 64,
  /** Fuel of one evaluation of a CEL expression: loop iterations plus characters handled. */
  celFuelMax: 10_000_000,

  /** Octets of a domain file of the command: 100,000 rules of several hundred octets each. */
  domainFileBytesMax: 67_108_864,

  /** Octets of a whole message that are read: above what large providers accept; beyond it only `size` counts on. */
  messageBytesMax: 67_108_864,
  /** Octets of a header block: four times what large servers accept; the rest is not read. */
  headerBlockBytesMax: 262_144,
  /** Fields of a header block: a hundred hops leave fewer. */
  headerFieldsMax: 2_000,
  /** Octets of one header field, folds included: a `To` of a thousand mailboxes. */
  headerFieldBytesMax: 65_536,
  /** Comments within comments of an address field; what follows a deeper one is not read. */
  commentDepthMax: 50,
  /** Mailboxes read of one address field. */
  mailboxesMax: 1_000,
  /** Parameters of one MIME field, and segments of one RFC 2231 value. */
  mimeParametersMax: 200,
  /** MIME parts of a message, and multiparts within multiparts. */
  mimePartsMax: 500,
  mimeDepthMax: 50,
  /** Octets of text, and as many of HTML, that are decoded before transfer: four for each unit of a fact. */
  textBytesMax: 4_194_304,
  /** Code units of HTML that are turned into text. */
  htmlUnitsMax: 1_048_576,

  /** Entries of one batch or bulk request: API v4 §8. */
  batchEntriesMax: 500,
  /** Templates of one domain, and code units of their fields: API v4 §8. */
  templatesMax: 200,
  templateNameUnitsMax: 250,
  templateDescriptionUnitsMax: 500,
  templateSubjectUnitsMax: 250,
  templateBodyUnitsMax: 100_000,
  /** Blanks in a row within a template: the Mustache reader looks for a tag's end in time square to them. */
  templateBlanksMax: 1_000,
  /** Sections within sections of a template: each is a call within a call when it is rendered. */
  templateDepthMax: 50,
  /** Code units of an SMTP password: longer than people and generators write. */
  passwordUnitsMin: 8,
  passwordUnitsMax: 256,
  /** Octets of a world file: a hundred thousand aliases with their destinations. */
  worldDomainsMax: 10_000,
} as const;
