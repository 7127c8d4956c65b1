#!/usr/bin/env node
/** `npm create site-api my-site` runs `site-api init my-site` of the package. */
process.argv.splice(2, 0, 'init')
await import(new URL('dist/cli/main.js', import.meta.resolve('site-api/package.json')))
