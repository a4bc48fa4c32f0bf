/** A tour of `mailflow` on nine messages of an invented stationery shop. Needs `npm run build` first. */
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const command = join(here, "../../dist/cli.js");

function say(...lines) {
  console.log(`\n${lines.join("\n")}\n`);
}

/** Runs the command as a person would in this folder, its output going where ours goes. */
function mailflow(...args) {
  console.log(`$ mailflow ${args.join(" ")}\n`);
  const { status } = spawnSync(process.execPath, [command, ...args], {
    cwd: here,
    stdio: "inherit",
  });
  if (status !== 0) process.exit(status ?? 1);
}

say(
  "Paperlane is a small stationery shop. Its domain, paperlane.example, forwards mail by rules:",
  "the first rule that matches, lowest rank first, decides. The rules are in domain.json.",
  "Are those rules in order?",
);
mailflow("check", "domain.json");

say(
  "They are. Nine messages have come in. Where does each of them go, and why?",
  "Every answer has three lines: what happens, which rule says so, and where the message goes.",
);
mailflow("route", "domain.json", "messages");

say(
  "The scan from Copycorner was sent to the archive. Why by that rule, and why by no earlier one?",
  "--explain shows what the rules saw, and what became of each of them.",
);
mailflow("route", "domain.json", "messages/08-scan-in-three-levels.eml", "--explain");

say("Programs take --json instead: one object per decision.");
mailflow("route", "domain.json", "messages/02-invoice.eml", "--json");

say(
  "A rule is edited best where it can be watched. This opens a page in your browser that decides while you type:",
  "switch the rule `orders` off, and see message 01 go to the fallback address.",
  "",
  "  node dist/cli.js play corpus/demo/domain.json corpus/demo/messages",
  "",
  "`node dist/cli.js serve` runs the whole service, with an inbox and logs on the same page.",
);
