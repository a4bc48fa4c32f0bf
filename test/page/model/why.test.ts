/** “Why not here?” says what the command `mailflow why` says, and its changes of rules do what they promise. */
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createDraftCompiler } from "../../../src/page/model/compile.ts";
import { decide } from "../../../src/page/model/decide.ts";
import { withRuleEdit } from "../../../src/page/model/domain.ts";
import { answerWhy, type WhyAnswer } from "../../../src/page/worker/why-worker.ts";
import { outcomeOf } from "../../../src/rehearse/outcome.ts";
import type { Line } from "../../../src/rehearse/words/line.ts";
import { mailflow } from "../../cli/memory-io.ts";
import { compileOn } from "./example.ts";

const DEMO = fileURLToPath(new URL("../../../corpus/demo", import.meta.url));
const { draft, mails } = compileOn();
const letter = mails.find(({ name }) => name.startsWith("09-letter"))!;

const textOf = (line: Line): string =>
  line.map((piece) => (typeof piece === "string" ? piece : piece.text)).join("");

function ask(target: string, mail = letter): WhyAnswer {
  return answerWhy({ kind: "why", id: 1, domain: draft, mail, target })!;
}

test.each(["archive@books.example", "invoices", "team@fulfil.example"])(
  "of %s it says what the command says",
  async (target) => {
    const { title, candidates } = ask(target);
    const { code, stdout } = await mailflow([
      "why",
      `${DEMO}/domain.json`,
      `${DEMO}/messages/${letter.name}`,
      "--to",
      target,
    ]);
    expect(code).toBe(0);
    const lines = [title, ...candidates.flatMap((each) => [[], ...each.lines])].map(textOf);
    expect(lines.length).toBeGreaterThan(4);
    expect(stdout).toContain(lines.join("\n"));
  },
);

test("a place that nothing sends to, and what is no place, are told as by the command", async () => {
  const argv = ["why", `${DEMO}/domain.json`, `${DEMO}/messages/${letter.name}`, "--to"];
  for (const target of ["nobody@nowhere.example", "invoicez"]) {
    const { title, candidates } = ask(target);
    expect(candidates).toEqual([]);
    expect((await mailflow([...argv, target])).stderr).toContain(textOf(title));
  }
});

test("where the message goes already, that is said", () => {
  expect(textOf(ask("ines.calder@homepost.example").title)).toContain("it did go there");
});

describe("a change of the rules that was found", () => {
  test("brings the message there once it is made", () => {
    let made = 0;
    for (const target of ["archive@books.example", "tokyo@desk.example", "sale@fulfil.example"]) {
      for (const edit of ask(target).candidates.flatMap(({ edits }) => edits)) {
        const { domain } = createDraftCompiler().compile(withRuleEdit(draft, edit));
        const { destinations } = outcomeOf(decide(domain!, letter).decision);
        expect(destinations).toContain(target);
        made++;
      }
    }
    expect(made).toBeGreaterThan(2);
  });
});

test("a domain that does not compile has no answer", () => {
  const rules = draft.rules.map((rule) => ({ ...rule, type: "no such type" }));
  const domain = { ...draft, rules };
  expect(answerWhy({ kind: "why", id: 1, domain, mail: letter, target: "invoices" })).toBeNull();
});
