/** The forms of built pages in each host: the intake at an address of the application, a captcha, a check before sending. */
import { createServer } from 'node:http'
import express from 'express'
import Fastify from 'fastify'
import { type D2, type SiteApi, type SubmissionHandlerOptions, submissionHandler } from 'site-api'
import { checkForm, type OutgoingForm, sendForm } from 'site-api/client'
import { createExpressHandler } from 'site-api/express'
import { createFastifyPlugin } from 'site-api/fastify'
import { createNodeHandler, nodeListener } from 'site-api/node'

export const intake = (api: SiteApi<D2>, options: SubmissionHandlerOptions = {}) => submissionHandler(api, options)

export const nodeServer = (api: SiteApi<D2>) => {
  const forms = nodeListener(submissionHandler(api))
  const others = createNodeHandler(api)
  return createServer((request, response) => (request.url === '/submit-form' ? forms : others)(request, response))
}

export const expressApp = (api: SiteApi<D2>) =>
  express()
    .use(createExpressHandler(api, { fallThrough: true }))
    // The handler comes before parsers of bodies, because it reads the body itself.
    .all('/submit-form', nodeListener(submissionHandler(api)))

export const fastifyApp = (api: SiteApi<D2>) => {
  const listener = nodeListener(submissionHandler(api))
  return Fastify()
    .register(createFastifyPlugin(api))
    .register(async (scope) => {
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser('*', (_request, _payload, done) => done(null))
      scope.all('/submit-form', (request, reply) => {
        reply.hijack()
        listener(request.raw, reply.raw)
      })
    })
}

export const guarded = (secret: string): SubmissionHandlerOptions => ({
  addressOf: (request) => request.headers.get('x-real-ip') ?? undefined,
  verify: async (token, { ip = '' }) => {
    const body = new URLSearchParams({ secret, response: token, remoteip: ip })
    const answer = await fetch('https://www.google.com/recaptcha/api/siteverify', { method: 'POST', body })
    return (await answer.json()).success === true
  },
})

export async function sendChecked(api: SiteApi<D2>, address: string, form: OutgoingForm) {
  const schema = await api.site.forms.schema(form.postId, form.elementId)
  const problems = schema ? checkForm(schema, { values: form.values }) : {}
  if (Object.keys(problems).length > 0) return problems
  const sent = await sendForm(address, form)
  return sent.ok ? (sent.redirect ?? sent.message ?? 'sent') : sent.error.params
}

export async function forget(api: SiteApi<D2>, email: string) {
  const found = await api.site.submissions.find(email)
  await api.site.submissions.erase(email)
  await api.site.submissions.setRetention({ days: 180 })
  return found.length
}
