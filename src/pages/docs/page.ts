/** The docs page as a response: markup, style and script. Loaded on first use. */
import type { ResponseHeaders, Result } from '../../core/declare/result.ts'
import type { OpenApiDocument } from '../../core/describe/openapi/document.ts'
import { htmlPage } from '../html.ts'
import { docsScript } from './script.ts'
import { docsStyle } from './style.ts'
import { docsBody } from './view.ts'

export const docsPage = (document: OpenApiDocument, headers: ResponseHeaders): Result =>
  htmlPage({
    title: document.info.title,
    style: docsStyle,
    script: docsScript,
    connects: true,
    body: docsBody(document),
    headers,
  })
