/** Every bound that input can reach, with its unit and its reason. No other file bounds anything by a bare number. */

/** All limits of mailflow, each with its unit in its name or its description. */
export const LIMITS = {
  /** Entries of a list that chooses among a few names, such as the scopes of a rule; names may repeat. */
  choicesMax: 16,
  /** Diagnostics reported for one configuration; the rest are only counted. */
  diagnosticsMax: 10_000,
  /** Aliases of one domain: ten times what a large organisation has. */
  aliasesMax: 100_000,
  /** Rules of one domain: ten times the largest domain that was measured. */
  rulesMax: 100_000,
  /** Code units of an id and of a time: long ids of one length are compared with each other, because V8 hashes them by their length alone. */
  idUnitsMax: 1_024,
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

  /** Code units of a fact that rules see; longer facts are cut, so that no message causes unbounded work. */
  factUnitsMax: 1_048_576,
  /**
   * Code units of an address that rules and aliases see; longer addresses are cut. Four times the path of
   * RFC 5321 §4.5.3.1.3, and no more: thousands of alias patterns may look at one address, and no budget counts them.
   */
  addressUnitsMax: 1_024,

  /** Code units of a pattern's source. */
  patternUnitsMax: 1_024,
  /** Largest count in `x{n,m}`: RE2's own. */
  patternRepeatMax: 1_000,
  /** Steps of the expanded program; classes of many ranges weigh more. `\p{L}{2,20}` has 838, `[^@]{1,254}` 1,269. */
  patternStepsMax: 2_000,
  /**
   * Places of a pattern that can be active at one character, branches included; `.{0,200}` has 400. Following one
   * place costs some 10 ns per character when no automaton can be cached. A message's budget counts this, so fewer
   * such patterns are tried.
   */
  patternThreadsMax: 1_024,
  /** Groups within groups. */
  patternDepthMax: 50,
  /** Code units of a literal by which a pattern is found: shorter ones occur everywhere, longer ones rule out no more. */
  literalUnitsMin: 3,
  literalUnitsMax: 32,
  /** Literals of which every match contains at least one: an alternation of words. */
  requiredLiteralsMax: 128,
  /** Units of work of one message: finding literals, searching, evaluating and filling forwards. At 20 ns each, 2 s. */
  messageFuelMax: 100_000_000,
  /** Units of work of one domain: compiling its aliases and rules, and making their plan. At 20 ns and two octets each, 2 s and 200 MB. */
  domainFuelMax: 100_000_000,
  /** Rules, and forwards, that a compiler keeps for the next domain: up to 1 KB each. */
  piecesKeptMax: 100_000,
  /** Expressions that a compiler keeps ready to run: some 10 KB each. */
  programsKeptMax: 10_000,
  /** Domains whose plan a compiler keeps: 1 KB for each rule. */
  plansKeptMax: 10_000,
  /** Literal scanners, and pattern sets, that a compiler keeps for the next plan: each up to some 100 KB. */
  searchersKeptMax: 256,
  /** Milliseconds that a runner gives one message, and a worker to start or to compile a domain. */
  runnerDeadlineMs: 1_000,
  runnerLoadMs: 30_000,
  /** Workers of one runner: more threads than machines have processors only wait. */
  runnerWorkersMax: 256,
  /** Occurrences of one literal in a text that are tried one by one; after these, the whole text is searched. */
  literalHitsMax: 24,
  /** Steps of a program of many patterns: some twenty of the largest, hundreds of ordinary ones. */
  setStepsMax: 16_384,
  /** Sets of more than single characters in such a program, times the ranges of all sets; ordinary programs have 3,000. */
  setSplitsMax: 32_768,
  /** Entries of an automaton's table, four octets each: one megabyte, of which most automata use a hundredth. */
  setTableMax: 262_144,
  /** Octets of an automaton's states, and of all automata and computed patterns of a process: the most recently used are kept. */
  automatonBytesMax: 2_097_152,
  automataBytesMax: 33_554_432,
  /** States of an automaton: making one takes 3 µs, so a text that needs all of them costs 15 ms. */
  setStatesMax: 4_096,

  /** Code units of a CEL expression. */
  celUnitsMax: 3_000,
  /** Nodes of a CEL expression's tree, macros not expanded. */
  celNodesMax: 2_000,
  /** Nesting of a CEL expression. */
  celDepthMax: 64,
  /** Fuel of one evaluation of a CEL expression: loop iterations plus characters handled. */
  celFuelMax: 10_000_000,
  /** Code units of a value in a CEL trace: a line of a terminal. */
  celStepUnitsMax: 80,
  /** Code units of a key of a map: longer ones of one length are compared with each other, because V8 hashes them by their length alone. */
  celKeyUnitsMax: 16_383,
  /** Computed patterns that a CEL expression keeps compiled, at most; those of all expressions count towards `automataBytesMax`. */
  celPatternsKeptMax: 16,
  /** Code units of a text that CEL reads as a number: reading longer ones costs more than their length. */
  celNumberUnitsMax: 400,
  /** Code units of a text that CEL reads as a duration: a sign and seven parts of 20 digits. */
  celDurationUnitsMax: 150,
  /** Decimals that a CEL format can ask for: what JavaScript computes exactly, less the one that shows a tie. */
  celDecimalsMax: 99,

  /** Octets of a domain file of the command: 100,000 rules of several hundred octets each. */
  domainFileBytesMax: 67_108_864,

  /**
   * Octets that a staged message holds until it is decided, for a host that passes it on afterwards. What people write comes
   * before this limit; a longer message is decided by its beginning, unless a rule asks for size or attachments.
   */
  heldBytesMax: 16_777_216,
  /** Octets of a whole message that are read: more than large providers accept. Beyond it only `size` still counts. */
  messageBytesMax: 67_108_864,
  /** Octets of a header block: four times what large servers accept; the rest is not read. */
  headerBlockBytesMax: 262_144,
  /** Fields of a header block, including lines that are not fields: a hundred hops leave fewer. */
  headerFieldsMax: 500,
  /** Octets of one header field, folds included: a `To` of a thousand mailboxes. */
  headerFieldBytesMax: 65_536,
  /** Comments within comments of an address field; what follows a deeper one is not read. */
  commentDepthMax: 50,
  /** Mailboxes read from one address field, usable or not. */
  mailboxesMax: 1_000,
  /** Mailboxes of all From fields that are tried until one is usable: in honest mail the first one is. */
  sendersMax: 100,
  /** Parameters of one MIME field, and segments of one RFC 2231 value. */
  mimeParametersMax: 200,
  /** MIME parts of a message, and multiparts within multiparts. */
  mimePartsMax: 1_000,
  mimeDepthMax: 100,
  /** Octets of the heads of all parts, ten times what a thousand ordinary ones have; then of each its share, this divided by `mimePartsMax`. */
  partHeadsBytesMax: 4_194_304,
  /** Parts whose text is read: mail that is put together by lists and gateways has a few. */
  textPartsMax: 100,
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
  /** Blanks in a row within a template: to find a tag's end, the Mustache reader takes time quadratic in their number. */
  templateBlanksMax: 1_000,
  /** Sections within sections of a template: each is a call within a call when it is rendered. */
  templateDepthMax: 50,
  /** Code units of an SMTP password: from the first number on guessing is hard, and no generator writes more than the second. */
  passwordUnitsMin: 8,
  passwordUnitsMax: 256,

  /** Levels of objects and arrays within a stored row. */
  storedDepthMax: 64,
  /** Similarity (0 to 1) from which a search finds a text: a short word with one wrong letter is still above it. */
  wordSimilarityMin: 0.4,
  /** Code units of a text, and of a query, in which a search looks for words; the work grows with their square. */
  searchedUnitsMax: 500,

  /** Spellings of a query that a search tries: a word of thirty letters with each two of them swapped. */
  searchedSpellingsMax: 32,
  /** Transactions that are committed together at most, and milliseconds after which none is added: other nodes wait for the lock meanwhile. */
  commitTurnsMax: 256,
  commitTurnsMs: 250,
  /** Connections to one PostgreSQL that read; a server has 100 by default, for all nodes. */
  storeConnectionsMax: 8,
  /** Milliseconds to connect to PostgreSQL, and to wait for its answer or for the next statement of a transaction. */
  storeConnectMs: 3_000,
  storeAnswerMs: 10_000,
  /** Milliseconds until a lost listening connection is opened again. */
  storeListenAgainMs: 500,
  /** Milliseconds for which the queue waits for a database that does not answer. */
  storePatienceMs: 60_000,
  /** Milliseconds without a message from another node until the node looks for some, and how many it reads at a time. */
  messagePollMs: 500,
  messagesAtOnce: 1_000,
  /** Milliseconds between two heartbeats of a node, and without one until other nodes take over its work. */
  nodeBeatMs: 3_000,
  nodeSilentMs: 12_000,
  /** Deliveries of a silent node that are scheduled at a time. */
  takenOverAtOnce: 1_000,
  /** Milliseconds until the queue looks for due tasks when none is announced, and until a failed task runs again. */
  taskPollMs: 1_000,
  taskRetryMs: 5_000,

  /** Tasks of one queue that run at once: as many as deliveries have slots, and as many again that wait for one. */
  queueRunningMax: 1_024,
  /** Milliseconds until a task whose handler rejected is run again. */
  queueRetryMs: 60_000,
  /** Milliseconds before and after the epoch that a clock may show: ECMA-262's time values. */
  clockMsMax: 8_640_000_000_000_000,
  /** Milliseconds that one timer of the host can wait: a signed 32-bit count. */
  hostTimerMsMax: 2_147_483_647,
  /** Timers that one move of a clock may run: a task that schedules itself at once would never end. */
  clockMoveTimersMax: 1_000_000,

  /** Octets of a message that is accepted: half as much again as large providers send, transfer encoding included. */
  smtpMessageBytesMax: 52_428_800,
  /** Recipients of one mail transaction: RFC 5321 §4.5.3.1.8. */
  smtpRecipientsMax: 100,
  /** Mail transactions, refused recipients or senders, failed sign-ins and commands of one connection; then it is closed. */
  smtpTransactionsMax: 100,
  smtpRefusalsMax: 20,
  smtpSignInsMax: 3,
  smtpCommandsMax: 2_000,
  /** SMTP sessions whose transcripts are kept, lines of one, and code units of a line: some 20 MB at the very most. */
  smtpSessionsKept: 500,
  smtpSessionLinesKept: 200,
  smtpLineUnitsKept: 200,
  /** Octets of one SMTP command line: twice what RFC 5321 §4.5.3.1.4 and its extensions ask for. */
  smtpCommandBytesMax: 4_096,
  /** Connections to one SMTP server at once, and from one address, so that half remain for other addresses. */
  smtpClientsMax: 200,
  smtpClientsOfAddressMax: 100,
  /**
   * Failed sign-ins from one address within ten minutes, on all its connections, until it is refused; the ten minutes;
   * milliseconds that the answer to the first failure waits, doubled each time, and at most; addresses that are remembered.
   */
  signInFailuresMax: 20,
  signInWindowMs: 600_000,
  signInDelayMs: 50,
  signInDelayMaxMs: 3_000,
  signInAddressesMax: 10_000,
  /**
   * POP3: connections at once, and from one address; messages that a session shows; octets of a line; commands of a session;
   * milliseconds without a command until the session is closed.
   */
  pop3ClientsMax: 50,
  pop3ClientsOfAddressMax: 25,
  pop3MessagesMax: 1_000,
  pop3LineBytesMax: 512,
  pop3CommandsMax: 10_000,
  pop3IdleMs: 60_000,
  /** Faults of SMTP's commands that can be set at once. */
  intakeFaultsMax: 100,
  /** Milliseconds without a byte until a connection is closed. */
  smtpIdleMs: 60_000,
  /** Milliseconds that a closing server waits for messages in flight, and then for clients to leave. */
  smtpCloseMs: 10_000,
  smtpGraceMs: 500,
  /** Received fields of a message: more mean a loop (RFC 5321 §6.3); ordinary mail has fewer than twenty. */
  hopsMax: 30,
  /** Days for which a rewritten envelope sender can be answered: bounces come within a week. */
  srsDaysMax: 21,
  /** Milliseconds for a webhook to answer. */
  webhookTimeoutMs: 10_000,
  /** Milliseconds for which a relay may be silent. */
  relayTimeoutMs: 60_000,
  /** Milliseconds for a relay to take a message, however often it answers; less than `slotLeaseMs`. */
  relayAttemptMs: 300_000,
  /**
   * Deliveries under way to one host: what large receivers take from one sender. A host that failed gets one, as a probe.
   * Deliveries under way to all hosts, and their octets: a hanging webhook holds its message until its time is up.
   */
  hostSlotsMax: 4,
  hostProbesMax: 1,
  deliverySlotsMax: 512,
  deliveryBytesMax: 268_435_456,
  /** Milliseconds after which a delivery that waits for a slot is checked again, if nothing woke it. */
  slotRecheckMs: 60_000,
  /** Milliseconds after which a slot that nodes share is free again if its node died with it: longer than any delivery attempt. */
  slotLeaseMs: 600_000,
  /** Attempts in a row without an answer that open a host's circuit, milliseconds that it stays open at first and at most, and hosts. */
  breakerFailures: 5,
  breakerPauseMs: 60_000,
  breakerPauseMaxMs: 1_800_000,
  breakersMax: 10_000,
  /** Faults that can be set at once. */
  faultsMax: 1_000,

  /** Recipients of one request to send. */
  sendRecipientsMax: 100,
  /** Code units of a subject: a line of RFC 5322 §2.1.1. */
  sendSubjectUnitsMax: 998,
  /** Attachments of one request and octets of all of them: API v4 §8. */
  attachmentsMax: 25,
  attachmentBytesMax: 10_485_760,
  /** Code units of a rendered text, and steps (tags, rounds of sections) of rendering it: sections multiply. */
  renderedUnitsMax: 1_048_576,
  renderStepsMax: 100_000,
  /** Milliseconds between two checks for months of the log that are past their retention. */
  logRetentionMs: 86_400_000,

  /** Requests per window and endpoint, of free and of paid plans, and of the send endpoint: API v4 §8. */
  freeRequestsMax: 30,
  paidRequestsMax: 200,
  sendRequestsMax: 10,
  /** Milliseconds of a window of these. */
  rateWindowMs: 60_000,
  /** Code units of a request's URL: what common HTTP servers accept. */
  urlUnitsMax: 16_384,
  /** Octets of a request's body: 500 rules, each with the longest expression and destinations, need 6.5 MB. */
  bodyBytesMax: 8_388_608,
  /** Octets of a request to send: attachments twice as large as allowed, in base64, so that the sender gets the reason. */
  sendBodyBytesMax: 29_360_128,
  /** Objects and arrays within one another in a body: what is stored of it stays within `storedDepthMax`. */
  jsonDepthMax: 32,
  /** Fields of a form: the entries of a batch, each with its id. */
  formFieldsMax: 1_000,
  /** Unknown fields that one answer names. */
  unknownFieldsMax: 20,
  /** Entries of a page and its number, and entries to skip: far beyond any list. */
  pageMax: 1_000_000,
  offsetMax: 200_000_000,
  /** Aliases shown within a domain: API v3 §2. */
  embeddedAliasesMax: 200,

  /** Octets of a request to the control plane: a snapshot of some hundred thousand log entries. */
  controlBodyBytesMax: 268_435_456,
  /** Octets of a snapshot that is restored, which waits on the disk until all of it is there: ten times what is kept by default. */
  snapshotBytesMax: 4_294_967_296,
  /** Events, and API requests with their answers, that the control plane remembers. */
  eventsKept: 10_000,
  requestsKept: 1_000,
  /** Octets of a request's or an answer's body that are remembered with it. */
  keptBodyBytesMax: 16_384,
  /** Milliseconds of real time for which one request waits for a message: proxies close idle connections after it. */
  waitMsMax: 55_000,
  /** Milliseconds of real time that a closing simulator gives to requests and to deliveries that are due. */
  closeMs: 10_000,
  /** Milliseconds for the store to answer before the process counts as not ready. */
  readyMs: 2_000,
  /** Milliseconds for a name server to answer. */
  dnsTimeoutMs: 3_000,
  /**
   * Messages that inboxes keep, octets of all of them, and entries that the log keeps, by default: what a day of tests
   * leaves behind, in some 300 MB. Log entries beyond that are deleted some at a time.
   */
  keptMessages: 10_000,
  keptMessageBytes: 134_217_728,
  keptLogs: 20_000,
  keptLogsSlack: 64,
  /** Code units of a From and a To field that lists of messages show. */
  shownFieldUnitsMax: 1_000,
  /** Tags of a message, and code units of one. */
  messageTagsMax: 20,
  messageTagUnitsMax: 50,
  /** Words of a search of the inboxes; a message must contain all of them. */
  inboxWordsMax: 20,
  /** Messages that one request marks or deletes by their ids. */
  messageIdsMax: 1_000,
  /** Messages that one look at the inboxes shows. */
  receivedShownMax: 1_000,
} as const;
