/** Declares the arguments of the consent page: the request of an application, and the fields of its forms. */
import { type ArgValues, oneOf, required, secret, str } from '../../core/declare/args.ts'
import { problemWithAddress } from './return-address.ts'

const maxUrlLength = 2000

export function requestArgs(appSchemes: readonly string[]) {
  const address = (description: string) =>
    str({
      description,
      default: '',
      maxLength: maxUrlLength,
      check: (value: string) => problemWithAddress(value, appSchemes),
    })
  return {
    app_name: required(
      str({
        description: 'The name of the application, as the user reads it.',
        maxLength: 200,
        check: (value: string) => (visible.test(toName(value)) ? undefined : 'It holds no letter and no sign.'),
      }),
    ),
    app_id: str({
      description: 'A UUID by which the application knows itself again.',
      default: '',
      pattern: '(?:[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})?',
    }),
    success_url: address('Where the user is sent with `site_url`, `user_login` and `password`.'),
    reject_url: address('Where the user is sent who refuses. Default: `success_url` with `success=false`.'),
  }
}

export const formArgs = (appSchemes: readonly string[]) => ({
  ...requestArgs(appSchemes),
  decision: oneOf(['sign-in', 'approve', 'refuse'], { default: 'sign-in', description: 'The button.' }),
  login: str({ default: '', maxLength: 320, description: 'The login or the e-mail address of a user.' }),
  password: secret(
    str({ default: '', maxLength: 1024, description: 'The password of the user, no application password.' }),
  ),
  grant: secret(str({ default: '', maxLength: 512, description: 'Shows that the page itself has sent the form.' })),
})

/** The request of an application. */
export type AppRequest = ArgValues<ReturnType<typeof requestArgs>>
export type SentForm = ArgValues<ReturnType<typeof formArgs>>

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u

/** Removes line breaks, control characters and characters that change the text direction. */
export const toName = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu, ' ')
    .replace(/\s+/gu, ' ')
    .trim()
