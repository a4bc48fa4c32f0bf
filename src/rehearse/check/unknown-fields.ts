/** Fields of a configuration that are ignored but were probably meant as others. */
import type { Path } from "../../base/diagnostic.ts";
import { nearestName } from "../../base/nearest-name.ts";

type JsonRecord = Readonly<Record<string, unknown>>;

export interface UnknownField {
  readonly path: Path;
  readonly meant: string;
}

/** For one kind of object: the fields that are read, and other names that people use for them. */
interface KnownFields {
  readonly fields: readonly string[];
  readonly synonyms: ReadonlyMap<string, string>;
}

function known(fields: readonly string[], synonyms: Readonly<Record<string, string>>): KnownFields {
  const names = Object.entries(synonyms).flatMap(([field, others]) =>
    others.split(" ").map((other) => [other, field] as const),
  );
  return { fields, synonyms: new Map(names) };
}

const DOMAIN = known(["domain", "routing_engine", "rules_fallback_email", "aliases", "rules"], {
  rules_fallback_email: "rules_fallback fallback fallback_email default default_email catch_all",
  aliases: "alias",
});
const ALIAS = known(["id", "alias", "forward", "created_at"], {});
const RULE = known(["id", "type", "rank", "active", "config", "created_at"], {
  active: "enabled enable is_active is_enabled disabled inactive",
  rank: "priority order position",
});

/** Fields that are no mistakes: the API returns them, or editors read them. */
const OTHERS: ReadonlySet<string> = new Set(["updated_at", "$schema"]);

/** A field that is present under its own name cannot be what an unknown one means. */
function unknownOf(
  values: JsonRecord,
  { fields, synonyms }: KnownFields,
  path: Path,
): UnknownField[] {
  const absent = fields.filter((field) => !Object.hasOwn(values, field));
  return Object.keys(values).flatMap((name) => {
    if (fields.includes(name) || OTHERS.has(name)) return [];
    const synonym = synonyms.get(name.toLowerCase());
    const meant =
      synonym !== undefined && absent.includes(synonym) ? synonym : nearestName(name, absent);
    return meant === undefined ? [] : [{ path: [...path, name], meant }];
  });
}

function entriesOf(config: JsonRecord, list: string, fields: KnownFields): UnknownField[] {
  const entries = (config[list] ?? []) as readonly JsonRecord[];
  return entries.flatMap((values, index) => unknownOf(values, fields, [list, index]));
}

/** The unknown fields of a configuration that compiles, in its order. */
export function unknownFields(config: JsonRecord): readonly UnknownField[] {
  const { domain } = config;
  const isOfApi = domain !== null && typeof domain === "object";
  const root: KnownFields = isOfApi ? { ...DOMAIN, fields: ["aliases", "rules"] } : DOMAIN;
  return [
    ...unknownOf(config, root, []),
    ...(isOfApi ? unknownOf(domain as JsonRecord, DOMAIN, ["domain"]) : []),
    ...entriesOf(config, "aliases", ALIAS),
    ...entriesOf(config, "rules", RULE),
  ];
}
