/**
 * Signs a webhook. The package is CommonJS, and a bundle that loads CommonJS late exports `default` alone:
 * this module is loaded late instead.
 */
import { Webhook } from 'standardwebhooks'

export const signature = (secret: string, id: string, time: Date, body: string): string =>
  new Webhook(secret).sign(id, time, body)
