/** A hub that several sites report to, over HTTP. */
import { createSiteApi, d2, type Hub, type Storage } from 'site-api'

export function hubAt(address: string): Hub {
  const call = async (method: 'POST' | 'DELETE', body: object, key: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${key}` }
    const { status } = await fetch(address, { method, headers, body: JSON.stringify(body) })
    if (status === 401) throw Object.assign(new Error('The key is not valid.'), { isInvalid: true })
    if (status >= 300) throw new Error(`The hub answered ${status}.`)
  }
  return {
    sync: (report, key) => call('POST', report, key),
    leave: ({ url }, key) => call('DELETE', { url }, key),
  }
}

export const createApi = (storage: Storage, address: string) =>
  createSiteApi({ storage, profile: d2, url: 'https://example.com', services: { hub: hubAt(address) } })
