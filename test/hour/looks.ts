/** Looks at pages in Chromium, and keeps each answer of an error and each failure of a script. */
import { type Browser, chromium, type Page } from 'playwright-core'
import { chromiumPath, howToGetChromium } from '../browser/chromium.ts'

export interface Looks {
  /** Opens an address in a new window and works with the page; a picture of it is kept where the run keeps pictures. */
  look<T>(url: string, work: (page: Page) => Promise<T>, name: string): Promise<T>
  readonly refused: string[]
  close(): Promise<void>
}

export const widths = [375, 768, 1280]

/** `pictures`: the folder for screenshots in three widths, if they are wanted. */
export async function openLooks(pictures?: string): Promise<Looks> {
  const executablePath = chromiumPath()
  if (executablePath === undefined) throw new Error(howToGetChromium)
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  const browser = await chromium.launch({ executablePath, args: [...asRoot, '--disable-dev-shm-usage'] })
  const refused: string[] = []
  return {
    refused,
    look: (url, work, name) => look(browser, { url, refused, name, pictures }, work),
    close: () => browser.close(),
  }
}

interface Asked {
  readonly url: string
  readonly refused: string[]
  readonly name: string
  readonly pictures: string | undefined
}

async function look<T>(
  browser: Browser,
  { url, refused, name, pictures }: Asked,
  work: (page: Page) => Promise<T>,
): Promise<T> {
  const page = await browser.newPage()
  page.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${response.url()}`)
  })
  page.on('pageerror', (error) => refused.push(`${url}: ${error.message}`))
  page.on('console', (message) => {
    // An answer of an error is there already.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) {
      refused.push(`${url}: ${message.text()}`)
    }
  })
  try {
    await page.goto(url, { waitUntil: 'load', timeout: 60_000 })
    const seen = await work(page)
    if (pictures !== undefined) await takePictures(page, `${pictures}/${name}`)
    return seen
  } finally {
    await page.close()
  }
}

async function takePictures(page: Page, name: string): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 })
    await page.screenshot({ path: `${name}-${width}.png`, fullPage: false })
  }
}

/** The number of pictures of a page that are drawn, and the addresses of those that are not. */
export const picturesOf = (page: Page) =>
  page.evaluate(async () => {
    const all = [...document.images]
    await Promise.all(all.map((image) => image.decode().catch(() => undefined)))
    return {
      drawn: all.filter((image) => image.naturalWidth > 0).length,
      lost: all.filter((image) => image.naturalWidth === 0).map(({ src }) => src),
    }
  })
