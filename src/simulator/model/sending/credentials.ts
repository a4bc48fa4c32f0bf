/** SMTP credentials of a domain (API v4 §4 SMTP credentials), and their check at sign-in. */
import { LIMITS } from "../../../base/limits.ts";
import {
  canonicalAddress,
  foldLocalPart,
  parseAddrSpec,
  splitAddress,
} from "../../../engine/facts/address.ts";
import { change } from "../change.ts";
import { getDomain } from "../domains/domains.ts";
import { type Listed, listRows, type Page } from "../list.ts";
import { type FieldErrors, fieldProblem, found, refuseFields } from "../problem.ts";
import { CREDENTIALS, type CredentialRow } from "../records.ts";
import type { Service } from "../service.ts";
import { hashPassword, passwordFits } from "./password-hash.ts";

/** By username. */
export async function listCredentials(
  service: Service,
  domain: string,
  page: Page,
): Promise<Listed<CredentialRow>> {
  const row = await getDomain(service, domain);
  const order = { column: "username", direction: "asc" } as const;
  return listRows(service.store.table(CREDENTIALS), { where: { domain: row.domain } }, order, page);
}

const keyOf = (domain: string, username: string): string => `${domain}/${foldLocalPart(username)}`;

async function getCredential(
  service: Service,
  domain: string,
  username: string,
): Promise<CredentialRow> {
  const { domain: name } = await getDomain(service, domain);
  return found(await service.store.table(CREDENTIALS).get(keyOf(name, username)), "credential");
}

/** Values as clients send them. */
export interface CredentialInput {
  /** A local part; the alias of that name need not exist. */
  readonly username?: unknown;
  readonly password?: unknown;
}

// ASSUMPTION(credential-username): any literal local part can be a username, whether or not there is such an alias
function usernameErrors(username: unknown): FieldErrors {
  if (typeof username !== "string" || username === "") {
    return { username: ["`username` is missing: give the name of an alias"] };
  }
  const literal = !/["*]/.test(username) && parseAddrSpec(`${username}@domain.example`) !== null;
  if (literal && !username.includes("@")) return {};
  const message = `\`${username.slice(0, 80)}\` is not the name of an alias: give the part before the \`@\``;
  return { username: [message] };
}

// ASSUMPTION(password-length): a password has 8 to 256 characters
function passwordErrors(password: unknown): FieldErrors {
  if (typeof password !== "string") {
    return { password: ["`password` is missing: give a string"] };
  }
  const { passwordUnitsMin: min, passwordUnitsMax: max } = LIMITS;
  if (password.length >= min && password.length <= max) return {};
  const length = password.length === 1 ? "1 character" : `${password.length} characters`;
  return { password: [`\`password\` has ${length}: give ${min} to ${max}`] };
}

export interface CreatedCredential {
  readonly row: CredentialRow;
  /** The domain's first: sending needs more DNS records than forwarding. */
  readonly requiresNewMxCheck: boolean;
}

/** A valid credential with its password hashed. Hashing is slow, so it is done outside transactions. */
export type ReadyCredential = Pick<CredentialRow, "username" | "passwordHash">;

/** Throws 400 with the errors of `username` and `password`. */
export async function readCredential(
  service: Service,
  { username, password }: CredentialInput,
): Promise<ReadyCredential> {
  refuseFields({ ...usernameErrors(username), ...passwordErrors(password) });
  return {
    username: foldLocalPart(username as string),
    passwordHash: await hashPassword(service, password as string),
  };
}

/** Call it inside a transaction. */
export async function addCredential(
  service: Service,
  domain: string,
  { username, passwordHash }: ReadyCredential,
): Promise<CreatedCredential> {
  const table = service.store.table(CREDENTIALS);
  const key = keyOf(domain, username);
  if ((await table.get(key)) !== undefined) {
    const message = `\`${username}\` already has a credential: update its password instead`;
    throw fieldProblem({ username: [message] });
  }
  const requiresNewMxCheck = (await table.count({ where: { domain } })) === 0;
  const createdMs = service.clock.nowMs();
  const row: CredentialRow = { key, domain, username, passwordHash, usage: 0, createdMs };
  await table.insert(row);
  return { row, requiresNewMxCheck };
}

export async function createCredential(
  service: Service,
  domain: string,
  input: CredentialInput,
): Promise<CreatedCredential> {
  await getDomain(service, domain);
  const ready = await readCredential(service, input);
  return change(service, domain, "credentials", async () => {
    const row = await getDomain(service, domain);
    return addCredential(service, row.domain, ready);
  });
}

/** Replaces the password. */
export async function updateCredential(
  service: Service,
  domain: string,
  username: string,
  { password }: Pick<CredentialInput, "password">,
): Promise<CredentialRow> {
  await getCredential(service, domain, username);
  refuseFields(passwordErrors(password));
  const passwordHash = await hashPassword(service, password as string);
  return change(service, domain, "credentials", async () => {
    const changed = { ...(await getCredential(service, domain, username)), passwordHash };
    await service.store.table(CREDENTIALS).replace(changed);
    return changed;
  });
}

export function deleteCredential(
  service: Service,
  domain: string,
  username: string,
): Promise<void> {
  return change(service, domain, "credentials", async () => {
    const { key } = await getCredential(service, domain, username);
    await service.store.table(CREDENTIALS).delete(key);
  });
}

/**
 * The credential of `login` (`username@domain`), or `null` if there is none or the password is wrong;
 * both take the same time. It does not check whether the domain may send.
 */
// ASSUMPTION(credential-usage): a credential's usage counts successful sign-ins
export async function checkCredential(
  service: Service,
  login: string,
  password: string,
): Promise<CredentialRow | null> {
  const { localPart, domain } = splitAddress(canonicalAddress(login));
  const key = keyOf(domain, localPart);
  const table = service.store.table(CREDENTIALS);
  const tried = await table.get(key);
  const bounded = password.slice(0, LIMITS.passwordUnitsMax + 1);
  if (!(await passwordFits(bounded, tried?.passwordHash))) return null;
  return service.store.transaction(async () => {
    const row = await table.get(key);
    // The credential was deleted, or its password changed, while this one was compared.
    if (row?.passwordHash !== tried?.passwordHash || row === undefined) return null;
    const used = { ...row, usage: row.usage + 1 };
    await table.replace(used);
    return used;
  });
}

/** Whether a credential that signed in still exists with the password of that time. */
export async function isStillValid(
  service: Service,
  { key, passwordHash }: CredentialRow,
): Promise<boolean> {
  const row = await service.store.table(CREDENTIALS).get(key);
  return row?.passwordHash === passwordHash;
}
