/** One parser for queries, on the text as it was sent: no framework's own has a say. */
import { expect } from 'vitest'
import { ask, type Behaviour } from './behaviour.ts'

const thing = '/api/echo/v1/thing'

export const queries: readonly Behaviour[] = [
  {
    name: 'lists and objects are read from the raw query',
    run: async (host) => {
      const found = async (query: string) => (await ask(host, `${thing}?${query}`)).body
      expect(await found('list=1,2')).toEqual({ list: ['1', '2'] })
      expect(await found('list[]=1&list[]=2')).toEqual({ list: ['1', '2'] })
      expect(await found('list%5B%5D=1&list%5B%5D=2')).toEqual({ list: ['1', '2'] })
      expect(await found('list[0]=1&list[7]=2')).toEqual({ list: ['1', '2'] })
      expect(await found('list=1&list=2')).toEqual({ list: ['2'] })
      expect(await found('list=1&list[]=2')).toEqual({ list: ['2'] })
      expect(await found('terms[terms]=1&terms[a]=x')).toEqual({ terms: { terms: '1', a: 'x' } })
      expect(await found('text=a+b%2Bc%20d&')).toEqual({ text: 'a b+c d' })
      expect(await found('text=1&&=x&text')).toEqual({ text: '' })
      expect(await found('text=a=b?c')).toEqual({ text: 'a=b?c' })
    },
  },
  {
    name: 'reserved names are 400 at every depth',
    run: async (host) => {
      for (const name of [
        '__proto__',
        'constructor',
        'prototype',
        '__proto__[a]',
        'terms[__proto__]',
        'terms[a][constructor]',
      ]) {
        expect(await ask(host, `${thing}?${name}=1`)).toMatchObject({
          status: 400,
          body: { code: 'rest_invalid_param' },
        })
      }
    },
  },
  {
    name: 'depth and count are bounded',
    run: async (host) => {
      for (const query of [`terms${'[a]'.repeat(5)}=1`, Array(1001).fill('a=1').join('&')]) {
        expect(await ask(host, `${thing}?${query}`)).toMatchObject({
          status: 414,
          body: { code: 'rest_query_too_large' },
        })
      }
      expect((await ask(host, `${thing}?list[999999999]=1`)).body).toEqual({ list: ['1'] })
    },
  },
]
