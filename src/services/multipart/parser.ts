/**
 * Exports the parser of forms with files. The package is CommonJS, and a bundle that loads CommonJS late exports `default` alone:
 * this module is loaded late instead.
 */
export { Busboy } from '@fastify/busboy'
