/** The worker of a runner: keeps compiled domains, and resolves one message after another. */
import { parentPort } from "node:worker_threads";
import type { CompiledDomain } from "../engine/routing/compile-domain.ts";
import { createCompiler } from "../engine/routing/compile-domain.ts";
import { resolve } from "../engine/routing/resolve.ts";
import type { Request, WorkerAnswer } from "./protocol.ts";

if (parentPort === null) throw new Error("this file is a worker: use `createRunner`");
const port = parentPort;
// The runner has compiled every domain within the budget that its host set.
const compiler = createCompiler({ domainFuelMax: Number.POSITIVE_INFINITY });
const domains = new Map<string, CompiledDomain>();

function answer(given: WorkerAnswer): void {
  port.postMessage(given);
}

port.on("message", (request: Request) => {
  switch (request.kind) {
    case "load": {
      const result = compiler.compileDomain(request.config);
      if (!result.ok) throw new Error(`\`${request.domain}\` does not compile`);
      domains.set(request.domain, result.domain);
      answer({ kind: "loaded" });
      return;
    }
    case "unload":
      domains.delete(request.domain);
      return;
    case "resolve": {
      const { domain, facts, fuelMax } = request;
      answer({ kind: "resolved", resolution: resolve(domains.get(domain)!, facts, { fuelMax }) });
    }
  }
});
answer({ kind: "ready" });
