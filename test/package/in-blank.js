/** Copied into a blank project and run there by each runtime: imports every entry that it is given, and serves a site. */
const refused = {}
for (const name of process.argv.slice(2)) {
  await import(name).catch((error) => {
    refused[name] = error.message
  })
}

const { createSiteApi, d1, d2 } = await import('site-api')
const { sqliteStorage } = await import('site-api/storage/sqlite')
const statuses = {}
for (const [name, profile] of Object.entries({ d1, d2 })) {
  const api = createSiteApi({ storage: sqliteStorage(':memory:'), profile, url: 'https://example.com' })
  const response = await api.fetch(new Request('https://example.com/api/cms/v2/posts'))
  statuses[name] = response.status
  await api.close()
}

const { postgresStorage } = await import('site-api/storage/postgres')
let withoutPg = ''
try {
  await postgresStorage('postgres://nobody@127.0.0.1:1/none').open?.()
} catch (error) {
  withoutPg = error.message
}
console.log(JSON.stringify({ refused, statuses, withoutPg }))
