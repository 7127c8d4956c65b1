/** Copied into a blank project and run there by each runtime: imports every entry that it is given, and serves a site. */
const refused = {}
for (const name of process.argv.slice(2)) {
  await import(name).catch((error) => {
    refused[name] = error.message
  })
}

const { answersOf, expected } = await import('./site-program.js')
const site = await import('site-api')
const { sqliteStorage } = await import('site-api/storage/sqlite')
const wrong = []
for (const name of ['d1', 'd2']) {
  const answers = await answersOf(site, sqliteStorage(':memory:'), site[name])
  wrong.push(...answers.filter((answer, at) => answer !== expected[at]).map((answer) => `${name} on SQLite: ${answer}`))
}

const { postgresStorage } = await import('site-api/storage/postgres')
let withoutPg = ''
try {
  await postgresStorage('postgres://nobody@127.0.0.1:1/none').open?.()
} catch (error) {
  withoutPg = error.message
}
console.log(JSON.stringify({ refused, wrong, withoutPg }))
