/** The benchmark compares servers with each other, so each has to answer the measured requests. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, onTestFinished, test } from 'vitest'

const script = fileURLToPath(new URL('../../bench/servers.ts', import.meta.url))

test.each(['site-api', 'bare node:http', 'fastify'])('the server "%s" answers a post and a list', async (name) => {
  const child = fork(script, ['posts', name], { execArgv: ['--no-warnings'] })
  onTestFinished(() => void child.kill())
  const [{ port }] = await once(child, 'message')
  for (const path of ['/api/cms/v2/posts/1', '/api/cms/v2/posts?per_page=20']) {
    const response = await fetch(`http://127.0.0.1:${port}${path}`)
    const body = await response.json()
    expect([path, response.status, Array.isArray(body) ? body.length : body.id]).toEqual([
      path,
      200,
      path.includes('per_page') ? 20 : 1,
    ])
  }
})
