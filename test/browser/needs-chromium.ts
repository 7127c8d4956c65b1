/** Ends the run with one line where there is no browser to run it in. */
import { chromiumPath, howToGetChromium } from './chromium.ts'

export default function setup(): void {
  if (chromiumPath() !== undefined) return
  console.error(howToGetChromium)
  process.exit(1)
}
