/** A built-in module of Node, where the runtime has it. */

interface NodeModules {
  readonly 'node:async_hooks': typeof import('node:async_hooks')
  readonly 'node:crypto': typeof import('node:crypto')
  readonly 'node:fs': typeof import('node:fs')
  readonly 'node:module': typeof import('node:module')
  readonly 'node:zlib': typeof import('node:zlib')
}

export function nodeModule<Name extends keyof NodeModules>(name: Name): NodeModules[Name] | undefined {
  try {
    // A static import would fail on Next's edge runtime, and bundlers would look for a replacement.
    // The cast: the method is typed for any name.
    return globalThis.process?.getBuiltinModule?.(name) as NodeModules[Name] | undefined
  } catch {
    // Next's edge runtime has a `process` that throws for what it lacks.
    return undefined
  }
}
