/** The SMTP step of a command, and the text to which a fault's pattern is compared. */
import type { SMTPServerSession } from "smtp-server";
import type { Reply } from "../receive/receive-recipient.ts";
import type { IntakeFault, IntakeStep } from "./intake-faults.ts";

interface At {
  readonly step: IntakeStep;
  readonly text: string;
}

function senderOf({ envelope: { mailFrom } }: SMTPServerSession): string {
  return mailFrom === false ? "" : mailFrom.address;
}

/** The path of `MAIL FROM:<path>`. */
function pathOf(command: string): string {
  return /:\s*<?([^<>\s]*)/.exec(command)?.[1] ?? "";
}

/** `null` for a command that no fault can affect. */
export function stepOf(command: string, session: SMTPServerSession): At | null {
  const [verb = "", argument = ""] = command.trim().split(/\s+/, 2);
  switch (verb.toUpperCase()) {
    case "HELO":
    case "EHLO":
      return { step: "ehlo", text: argument };
    case "MAIL":
      return { step: "mail", text: pathOf(command) };
    case "RCPT":
      return { step: "rcpt", text: pathOf(command) };
    case "AUTH":
      return { step: "auth", text: senderOf(session) };
    case "DATA":
      return { step: "data", text: senderOf(session) };
    case "QUIT":
      return { step: "quit", text: senderOf(session) };
    default:
      return null;
  }
}

export function faultRefusal({ action, code, step }: IntakeFault): Reply {
  const answered = code ?? (action === "defer" ? 451 : 550);
  const enhanced = `${answered < 500 ? 4 : 5}.0.0`;
  return { code: answered, enhanced, text: `simulated fault at ${step}` };
}
