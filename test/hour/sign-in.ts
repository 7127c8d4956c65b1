/**
 * `npm run test:hour:sign-in`: installs better-auth and Auth.js from the registry, signs in by each as docs/sign-in.md shows, and asks the
 * site who that is. After `npm run build`.
 */
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { home, installBlank, pack } from '../package/packed.ts'
import { outputOf } from '../package/run.ts'

/** Each signs in, and leaves the cookies of the session in `cookie`. */
const libraries = {
  'better-auth.mjs': `
    const signed = await send('/auth/sign-up/email', {
      body: JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'low water at noon' }),
      headers: { 'content-type': 'application/json', origin },
    })
    const cookie = cookiesOf(signed)`,
  'auth-js.mjs': `
    const asked = await handle(new Request(origin + '/auth/csrf'))
    const { csrfToken } = await asked.json()
    const signed = await send('/auth/callback/credentials', {
      body: new URLSearchParams({ csrfToken, name: 'Ada', word: process.env.WORD }),
      headers: { cookie: cookiesOf(asked) },
    })
    const cookie = cookiesOf(signed)`,
}

const programOf = (file: string, signIn: string) => `
  process.env.AUTH_SECRET = 'a secret of more than thirty-two characters'
  process.env.WORD = 'tide'
  const { handle } = await import('./${file}')
  const origin = 'http://localhost:3000'
  const send = (path, init) => handle(new Request(origin + path, { method: 'POST', ...init }))
  const cookiesOf = (response) => response.headers.getSetCookie().map((line) => line.split(';')[0]).join('; ')
  ${signIn}
  const me = (headers) => handle(new Request(origin + '/api/cms/v2/users/me', { headers }))
  const [first, second, visitor] = await Promise.all([me({ cookie }), me({ cookie }), me({})])
  const [one, other] = [await first.json(), await second.json()]
  console.log(one.name, one.id === other.id, visitor.status)
  process.exit(0)`

const folder = mkdtempSync(join(tmpdir(), 'site-api-sign-in-'))
try {
  const blank = join(folder, 'blank')
  await installBlank(blank, await pack(folder), ['better-auth@^1.7.0', '@auth/core@^0.41.0'])
  copyFileSync(join(home, 'docs/examples/sign-in-library.ts'), join(blank, 'sign-in-library.ts'))
  for (const [file, signIn] of Object.entries(libraries)) {
    copyFileSync(join(home, 'docs/examples', file), join(blank, file))
    writeFileSync(join(blank, `check-${file}`), programOf(file, signIn))
    const said = (await outputOf(process.execPath, ['--no-warnings', `check-${file}`], blank)).trim()
    console.log(`${file}: ${said}`)
    if (said !== 'Ada true 401') process.exitCode = 1
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
