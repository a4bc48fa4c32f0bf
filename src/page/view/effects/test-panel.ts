/** The rule tests of the domain, each run on every edit. */
import type { VNode } from "preact";
import { testFile } from "../../model/rule-tests.ts";
import { draft, keeper, removeTest, testRuns, tests } from "../../state.ts";
import { download } from "../download.ts";
import { html } from "../html.ts";
import { Icon } from "../icon.ts";

export function TestPanel(): VNode {
  const runs = testRuns.value;
  const { testsPlace } = keeper.value;
  if (tests.value.length === 0) {
    return html`<div class="blank"><${Icon} name="test" /><h3>No tests yet</h3>
      <p>When a message goes where it should, choose “Make this a test”. Every edit then has to pass it. Tests are kept in ${testsPlace}.</p></div>`;
  }
  const failing = runs.filter(({ failure }) => failure !== null).length;
  const file = `${draft.value.domain}.json`;
  const save = (): void =>
    download(file.replace(/json$/, "mailtest.json"), testFile(file, tests.value));
  return html`<div><div class="part row"><div class="grow"><strong>${failing === 0 ? "All tests pass" : `${failing} of ${runs.length} ${failing === 1 ? "fails" : "fail"}`}</strong><p class="soft xs">kept in ${testsPlace}</p></div>
      <button class="btn" onClick=${save}><${Icon} name="save" />Download</button></div>
    <ol class="cases">${runs.map(
      ({
        name,
        failure,
      }) => html`<li key=${name}><span class=${failure === null ? "v-matched" : "v-rejected"}><${Icon} name=${failure === null ? "matched" : "bad"} /><span class="sr">${failure === null ? "passes" : "fails"}</span></span>
        <div><b>${name}</b>${failure === null ? null : html`<p class="soft">${failure}</p>`}</div>
        <button class="btn btn-quiet btn-icon" aria-label=${`Remove the test ${name}`} onClick=${() => void removeTest(name)}><${Icon} name="close" small="small" /></button></li>`,
    )}</ol></div>`;
}
