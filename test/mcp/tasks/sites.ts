/** Opens a small site with built pages for agents. */
import { createMcpServer, type McpServerOptions } from '../../../src/mcp/index.ts'
import { containerElement, widgetElement } from '../../support/documents.ts'
import { withDocuments } from '../../support/documents-profile.ts'
import type { Parsed } from '../../support/parsed.ts'
import { createTestSite, type TestSite, type TestSiteOptions } from '../../support/site.ts'
import { agentIn, callTool, type ToolCallResult } from '../agent.ts'

export interface AgentSiteUnderTest {
  readonly site: TestSite
  /** The id of a built page, which has a heading, a text and a button. */
  readonly built: number
  /** Calls a tool as the administrator, or as another user. */
  call(
    tool: string,
    args?: object,
    options?: McpServerOptions,
  ): Promise<ToolCallResult & { readonly structured: Parsed }>
  /** The elements of a page as JSON. */
  elements(id: number): Promise<string>
}

export async function openAgentSite(options: TestSiteOptions = {}): Promise<AgentSiteUnderTest> {
  const site = await createTestSite({ profile: withDocuments, ...options })
  const elements = [
    containerElement('bbbbbb1', {}, [
      widgetElement('bbbbbb2', 'heading', { title: 'Moorings', title_color: '#AA0011', align: 'center' }),
      widgetElement('bbbbbb3', 'text-editor', {
        editor: '<p>Ask at the <a href="/pier/">center</a> first &amp; <em>early</em>.</p>',
      }),
      widgetElement('bbbbbb4', 'button', { text: 'Moorings today', link: { url: '/pier/' } }),
    ]),
  ]
  const made = await site.api.call<{ readonly id: number }>(
    'POST',
    '/site-api/v1/documents',
    { kind: 'page', title: 'The moorings', status: 'publish', elements },
    { as: 'system' },
  )
  return {
    site,
    built: made.data.id,
    async call(tool, args = {}, options = {}) {
      const server = await createMcpServer(site.api, { as: site.ids['user.admin'] ?? 0, write: ['*'], ...options })
      const agent = await agentIn(server)
      const answer = await callTool(agent, tool, args)
      await agent.close()
      return answer
    },
    async elements(id) {
      const { data } = await site.api.call<{ readonly elements: unknown }>(
        'GET',
        `/site-api/v1/documents/${id}`,
        {},
        { as: 'system' },
      )
      return JSON.stringify(data.elements)
    },
  }
}
