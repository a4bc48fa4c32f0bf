/** Proofs on the page: what covers a rule, or a message that reaches it, as the proofs of the command say. */
import { expect, test } from "vitest";
import { decide } from "../../../src/page/model/decide.ts";
import { addRule, changeRule } from "../../../src/page/model/domain.ts";
import { readMessage } from "../../../src/page/model/mail.ts";
import { createRuleProver, type ProofAnswer } from "../../../src/page/worker/proof-worker.ts";
import { compileOn } from "./example.ts";

const { draft, domain } = compileOn();

test("every active rule of the example is reached, and each witness is decided by its rule", async () => {
  const answers: ProofAnswer[] = [];
  await createRuleProver((answer) => answers.push(answer))({ kind: "prove", id: 1, domain: draft });
  const [answer] = answers;
  const active = draft.rules.filter(({ active: isActive }) => isActive).map(({ id }) => id);
  expect(answer!.proofs.map(({ rule }) => rule).sort()).toEqual([...active].sort());
  for (const { rule, covered, witness } of answer!.proofs) {
    expect([rule, covered]).toEqual([rule, null]);
    const [mail] = readMessage(Buffer.from(witness!.text), "witness", draft.domain);
    const { decision } = decide(domain, { ...mail!, recipient: witness!.recipient });
    expect(decision.decidedBy?.id).toBe(rule);
  }
});

test("a rule behind its twin is covered, and says by which; rules that do not compile are not asked about", async () => {
  const answers: ProofAnswer[] = [];
  const prove = createRuleProver((answer) => answers.push(answer));
  const invoices = draft.rules.find(({ id }) => id === "invoices")!;
  const { domain: more } = addRule(draft, { ...invoices, id: "again" });
  await prove({ kind: "prove", id: 2, domain: changeRule(more, "again", { rank: 90 }) });
  const again = answers[0]!.proofs.find(({ rule }) => rule === "again")!;
  expect(again.covered).toMatch(/^is never reached: rule `invoices` \(rank 50\)/);
  expect(again.witness).toBeNull();
  await prove({ kind: "prove", id: 3, domain: changeRule(draft, "invoices", { type: "no" }) });
  expect(answers).toHaveLength(1);
});

test("all findings are one list: warnings first, each with a message that shows it", async () => {
  const answers: ProofAnswer[] = [];
  const prove = createRuleProver((answer) => answers.push(answer));
  const invoices = draft.rules.find(({ id }) => id === "invoices")!;
  const { domain: twin } = addRule(draft, { ...invoices, id: "again" });
  const { domain: more } = addRule(changeRule(twin, "again", { rank: 90 }), {
    type: "alias",
    config: { alias: "Sales", forward: "a@b.example, A@b.example" },
    id: "sales",
  });
  await prove({ kind: "prove", id: 1, domain: more });
  const { findings } = answers[0]!;
  const order = ["warning", "unknown", "reached"];
  const ranks = findings.map(({ standing }) => order.indexOf(standing));
  expect(ranks).toEqual([...ranks].sort());
  const warnings = findings.filter(({ standing }) => standing === "warning");
  expect(warnings.map(({ name, says }) => `${name} ${says}`)).toEqual([
    expect.stringMatching(/^again is never reached: rule `invoices` \(rank 50\)/),
    expect.stringMatching(/^sales `A@b.example` is named twice/),
  ]);
  // The rule alone would take its witness; in the domain the other one does.
  const { witness } = warnings[0]!;
  const [mail] = readMessage(Buffer.from(witness!.text), "witness", draft.domain);
  const { decision } = decide(domain, { ...mail!, recipient: witness!.recipient });
  expect(decision.decidedBy?.id).toBe("invoices");
  const fallback = findings.find(({ of }) => of.kind === "end")!;
  expect([fallback.name, fallback.standing]).toEqual(["the fallback address", "reached"]);
  expect(fallback.witness).not.toBeNull();
});

test("a later request ends an earlier one", async () => {
  const answers: ProofAnswer[] = [];
  const prove = createRuleProver((answer) => answers.push(answer));
  await Promise.all([1, 2, 3].map((id) => prove({ kind: "prove", id, domain: draft })));
  expect(answers.map(({ id }) => id)).toEqual([3]);
});
