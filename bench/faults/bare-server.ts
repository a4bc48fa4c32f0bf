/** smtp-server alone: it takes each message and forgets it. Prints its port. */
import type { AddressInfo } from "node:net";
import { SMTPServer } from "smtp-server";

const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ["AUTH", "STARTTLS"],
  disableReverseLookup: true,
  onData(stream, _session, callback) {
    stream.resume();
    stream.on("end", () => callback());
  },
});
server.listen(0, "127.0.0.1", () => {
  console.log(JSON.stringify({ mxPort: (server.server.address() as AddressInfo).port }));
});
