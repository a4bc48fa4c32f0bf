/** Folders with files for a test, removed after it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";

/** A new folder with these files; contents that are neither text nor bytes are written as JSON. */
export function folderWith(files: Readonly<Record<string, unknown>>): string {
  const folder = mkdtempSync(join(tmpdir(), "mailflow-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const isPlain = typeof content === "string" || content instanceof Uint8Array;
    writeFileSync(path, isPlain ? content : JSON.stringify(content, null, 2));
  }
  return folder;
}

/** A short message; `fields` come first. */
export function message(
  fields: Readonly<Record<string, string>>,
  body: string = "Hello.\n",
): string {
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`);
  return `${lines.join("")}\n${body}`;
}

/** A domain with aliases, forwarding each alias to `<alias>@else.test`. */
export const ALIAS_DOMAIN: Readonly<Record<string, unknown>> = {
  domain: "shop.example",
  routing_engine: "alias",
  rules_fallback_email: null,
  aliases: [
    { id: "a1", alias: "sales", forward: "sales@else.test" },
    { id: "a2", alias: "help*", forward: "help@else.test" },
    { id: "a3", alias: "ticket-(\\d+)", forward: "https://hooks.else.test/ticket?id=$1" },
    { id: "a4", alias: "void", forward: "null" },
  ],
  rules: [],
};
