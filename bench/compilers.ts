/** The two ways to compile a domain: alone, and by a compiler that keeps what domains share and what did not change. */
import {
  type CompiledDomain,
  type CompileOptions,
  type CompileResult,
  compileDomain,
  createCompiler,
} from "../src/engine/routing/compile-domain.ts";

export function compileAlone(config: unknown, options: CompileOptions = {}): CompiledDomain {
  return domainOf(compileDomain(config, options));
}

function domainOf(result: CompileResult): CompiledDomain {
  if (!result.ok) throw new Error(JSON.stringify(result.diagnostics[0]));
  return result.domain;
}

/** A compiler with caches of its own. */
export function compilerOf(): (config: unknown) => CompiledDomain {
  const compiler = createCompiler();
  return (config) => domainOf(compiler.compileDomain(config));
}
