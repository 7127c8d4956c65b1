/** Text rules on the sample site's texts, beside two fixed yardsticks: a pass of htmlparser2's tokenizer, and a scan. */
import { fileURLToPath } from 'node:url'
import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'
import type { Contender, Contenders } from './measure.ts'
import { fieldOfRule, loadTextRules, runsOf, runsOfRules, samplePosts } from './text-rules.ts'

const contender = (cases: Contender['cases']): Contender => ({ operations: samplePosts.length, cases })

const yardstick = (read: (text: string) => number): Contender =>
  contender(runsOf((rule) => (post) => read(post[fieldOfRule[rule]])))

const nothing = () => {}
const callbacks: TokenizerCallbacks = {
  onattribdata: nothing,
  onattribend: nothing,
  onattribentity: nothing,
  onattribname: nothing,
  oncdata: nothing,
  onclosetag: nothing,
  oncomment: nothing,
  ondeclaration: nothing,
  onend: nothing,
  onopentagend: nothing,
  onopentagname: nothing,
  onprocessinginstruction: nothing,
  onselfclosingtag: nothing,
  ontext: nothing,
  ontextentity: nothing,
}

function tokenizerPass(text: string): number {
  const tokenizer = new Tokenizer({ decodeEntities: false }, callbacks)
  tokenizer.write(text)
  tokenizer.end()
  return text.length
}

function scan(text: string): number {
  let spaces = 0
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) === 32) spaces++
  return spaces
}

export const contenders: Contenders = {
  'text rules': async () => contender(runsOfRules(await loadTextRules(fileURLToPath(new URL('..', import.meta.url))))),
  'tokenizer pass': () => yardstick(tokenizerPass),
  scan: () => yardstick(scan),
}
