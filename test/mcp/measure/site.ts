/** The sample site of the repository in memory, and an agent that counts what it sends and receives. */
import { fileURLToPath } from 'node:url'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { readDocument, seedFrom } from '../../../src/cli/documents.ts'
import { createSiteApi, type SiteApi } from '../../../src/host/create-site-api.ts'
import { createMcpServer, type McpServerOptions } from '../../../src/mcp/index.ts'
import { createMedia } from '../../../src/services/media.ts'
import { memoryMedia } from '../../../src/services/media-driver.ts'
import { memoryStorage } from '../../../src/storage/memory/index.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import type { Parsed } from '../../support/parsed.ts'
import { agentIn } from '../agent.ts'

const docs = new URL('../../../docs/', import.meta.url)

export interface SampleSite {
  readonly api: SiteApi
  /** The administrator. */
  readonly ada: number
  /** Calls a route as the administrator. */
  call(method: string, path: string, args?: object): Promise<Parsed>
}

export async function openSampleSite(): Promise<SampleSite> {
  const services = { media: createMedia({ driver: memoryMedia() }) }
  const url = 'https://millbrook.example'
  const api = createSiteApi({ storage: memoryStorage(), profile: withDocuments, url, services })
  const files = ['sample-site.json', 'sample-site/pages.json'].map((file) => fileURLToPath(new URL(file, docs)))
  await seedFrom(api.site, files.map(readDocument), files, url)
  // Texts of documents are written for the search by a task that is due.
  await api.site.runDue()
  const ada = (await api.site.users.find({ login: 'ada' }))?.id ?? 0
  return {
    api,
    ada,
    call: async (method, path, args) => (await api.call<unknown>(method, path, { ...args }, { as: ada })).data,
  }
}

export interface CountingAgent {
  readonly client: Client
  /** Calls since the agent began. */
  readonly steps: () => number
  /** The bytes of arguments and results. */
  readonly bytes: () => number
  /** Throws for a result that is an error. */
  call(tool: string, args?: object): Promise<Parsed>
}

export async function countingAgent({ api, ada }: SampleSite, options: McpServerOptions): Promise<CountingAgent> {
  const client = await agentIn(await createMcpServer(api, { as: ada, write: ['*'], ...options }))
  let [steps, bytes] = [0, 0]
  return {
    client,
    steps: () => steps,
    bytes: () => bytes,
    async call(tool, args = {}) {
      const { content, isError } = await client.callTool({ name: tool, arguments: { ...args } })
      const [first] = content as readonly { readonly text?: string }[]
      const text = first?.text ?? ''
      steps++
      bytes += JSON.stringify({ name: tool, arguments: args }).length + text.length
      if (isError === true) throw new Error(`${tool}: ${text}`)
      return JSON.parse(text)
    },
  }
}
