/** Walks through the guide on one host, and looks after each section at what it promises. */
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createMailServer } from '../support/mail-server.ts'
import { buildImage, runImage } from './container.ts'
import { giveOldSite, importedSlug } from './given.ts'
import { type Change, linesOf, type Section, type Step } from './guide.ts'
import { type Looks, picturesOf } from './looks.ts'
import { heard, Newcomer, type Program } from './newcomer.ts'

export interface Mark {
  readonly title: string
  /** Counted from the beginning. */
  readonly seconds: number
  readonly commands: number
  readonly lines: number
}

export interface Walk {
  readonly host: string
  readonly marks: readonly Mark[]
  /** Commands that failed, stacks that were printed, refused requests, promises that were not kept. */
  readonly stumbles: readonly string[]
}

export interface Setting {
  readonly host: string
  readonly sections: readonly Section[]
  /** An empty folder beside a folder `bin`. */
  readonly folder: string
  readonly registry: string
  readonly looks: Looks
}

export async function walk(setting: Setting): Promise<Walk> {
  const [port, hook, image] = await freePorts(3)
  const mails = await createMailServer()
  // The variable NODE_ENV of a test run is no newcomer's.
  const { NODE_ENV: _, ...own } = process.env
  const newcomer = new Newcomer(setting.folder, {
    ...own,
    ...{ PORT: `${port}`, SMTP_URL: mails.url, NEXT_TELEMETRY_DISABLED: '1' },
    ...{ npm_config_registry: setting.registry, npm_config_replace_registry_host: 'never' },
    ...{
      npm_config_update_notifier: 'false',
      npm_config_audit: 'false',
      npm_config_fund: 'false',
      npm_config_yes: 'true',
    },
    ...{ npm_config_prefer_offline: 'true', BUN_CONFIG_REGISTRY: setting.registry },
  })
  const walker = new Walker(setting, newcomer, { port: `${port}`, hook: `${hook}`, image: `${image}`, mails })
  try {
    await walker.walk()
  } finally {
    await newcomer.leave()
    await mails.close()
  }
  return walker.found()
}

interface Machine {
  readonly port: string
  readonly hook: string
  readonly image: string
  readonly mails: Awaited<ReturnType<typeof createMailServer>>
}

class Walker {
  readonly #setting: Setting
  readonly #newcomer: Newcomer
  readonly #machine: Machine
  readonly #marks: Mark[] = []
  readonly #stumbles: string[] = []
  readonly #started = performance.now()
  readonly #programs = new Map<string, Program>()
  #commands = 0
  #lines = 0
  #password = ''

  constructor(setting: Setting, newcomer: Newcomer, machine: Machine) {
    this.#setting = setting
    this.#newcomer = newcomer
    this.#machine = machine
  }

  found(): Walk {
    const said = this.#newcomer.said.flatMap(({ line, code, output }) => {
      const failed =
        code !== 0 && code !== null && !this.#programs.has(line) ? [`${line} ended with ${code}: ${output}`] : []
      return [...failed, ...stacksIn(output).map((stack) => `${line}: ${stack}`)]
    })
    const { refused } = this.#setting.looks
    return {
      host: this.#setting.host,
      marks: this.#marks,
      stumbles: [...this.#stumbles, ...said, ...refused.splice(0)],
    }
  }

  async walk(): Promise<void> {
    for (const { title, steps } of this.#setting.sections) {
      try {
        if (title.includes('old site')) await giveOldSite(this.#newcomer.folder)
        for (const [at, step] of steps.entries()) await this.#do(step, steps, at)
        await this.#looksAfter(title)
      } catch (error) {
        this.#stumbles.push(`${title}: ${(error as Error).message}`)
      }
      const seconds = (performance.now() - this.#started) / 1000
      this.#marks.push({ title, seconds, commands: this.#commands, lines: this.#lines })
    }
  }

  async #do(step: Step, steps: readonly Step[], at: number): Promise<void> {
    this.#lines += linesOf(step)
    if (step.kind === 'file') return this.#newcomer.write({ path: step.path, text: this.#here(step.text) })
    if (step.kind === 'command') return this.#command(step.line)
    const before = steps[at - 1]
    if (before?.kind === 'change' && before.path === step.path) return
    this.#newcomer.change(
      changesFrom(steps, at).map((one) => ({ ...one, lines: one.lines.map((line) => this.#here(line)) })),
    )
  }

  /** A command of the guide, for this host, these ports and the password that the first start has printed. */
  #here(text: string): string {
    const { port, hook } = this.#machine
    return text
      .replaceAll('localhost:3000', `localhost:${port}`)
      .replaceAll(/\b4000\b/g, hook)
      .replaceAll(/(?<=ada:|=')PASSWORD(?=')/g, this.#password)
      .replace(/^npx site-api init .*$/, `$& --host ${this.#setting.host}`)
  }

  async #command(written: string): Promise<void> {
    this.#commands++
    const line = this.#here(written)
    if (line.startsWith('docker build ')) return this.#build()
    if (line.startsWith('docker run ')) return this.#deployed(line)
    if (line !== 'npm run dev' && !line.endsWith(' &')) return void (await this.#newcomer.run(line))
    const program = await this.#newcomer.start(line.replace(/ &$/, ''))
    this.#programs.set(program.line, program)
    if (line !== 'npm run dev') return void (await heard(program, /\S/))
    await this.#isUp(this.#machine.port, program)
    if (this.#password === '') this.#password = await heard(program, /sign in as ada with (.+)/)
  }

  async #isUp(port: string, { child, output }: Program): Promise<void> {
    while (child.exitCode === null) {
      const answer = await fetch(`http://127.0.0.1:${port}/api`).catch(() => undefined)
      if (answer) return
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    throw new Error(`the server ended:\n${output()}`)
  }

  #image: Awaited<ReturnType<typeof buildImage>> | undefined

  async #build(): Promise<void> {
    this.#image = await buildImage(this.#newcomer, join(this.#setting.folder, '../image'))
  }

  async #deployed(line: string): Promise<void> {
    if (!this.#image) throw new Error('there is no image')
    const given = Object.fromEntries([...line.matchAll(/--env (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))
    const { image } = this.#machine
    const folder = join(this.#setting.folder, '../image')
    const running = await runImage(this.#newcomer, folder, this.#image, { ...given, PORT: image })
    await this.#isUp(image, running)
    const text = await (await fetch(`http://127.0.0.1:${image}/`)).text()
    this.#expect(text.includes('Hello'), `the container shows no post: ${text.slice(0, 200)}`)
    const code = await this.#newcomer.stop(running)
    this.#expect(code === 0 || code === null || code === 143, `the container ended with ${code}`)
  }

  #expect(isSo: boolean, otherwise: string): void {
    if (!isSo) this.#stumbles.push(otherwise)
  }

  get #site(): string {
    return `http://localhost:${this.#machine.port}`
  }

  async #looksAfter(title: string): Promise<void> {
    if (title.endsWith('a page')) return this.#firstPage()
    if (title.includes('a picture')) return this.#boat()
    if (title.includes('old site')) return this.#imported()
    if (title.includes('a form')) return this.#form()
    if (title.includes('a webhook')) return this.#webhook()
  }

  async #text(path: string, name: string): Promise<string> {
    return this.#setting.looks.look(new URL(path, this.#site).href, (page) => page.innerText('body'), name)
  }

  async #firstPage(): Promise<void> {
    const front = await this.#text('/', 'front')
    for (const title of ['Hello', 'High tide'])
      this.#expect(front.includes(title), `the front page lacks ${title}: ${front}`)
    this.#expect((await this.#text('/about/', 'about')).includes('Say here who you are.'), '/about/ is empty')
    this.#expect(/posts/.test(await this.#text('/api/docs', 'docs')), '/api/docs shows no routes')
  }

  #outputOf(end: string): string {
    return this.#newcomer.said.findLast(({ line }) => line.endsWith(end))?.output ?? ''
  }

  async #boat(): Promise<void> {
    const [picture = '', boat = '', post = '', tides = ''] = this.#outputOf('src/first-boat.ts').split('\n')
    this.#expect(/^high water at \d\d:\d\d and \d\d:\d\d$/.test(tides), `the route says ${tides}`)
    this.#expect(/ 9\.5$/.test(boat) && / 2$/.test(post), `the fields are ${boat}, ${post}`)
    await this.#seen(boat.split(' ')[0] ?? '', 'Gannet', 'boat')
    const { status } = await fetch(picture)
    this.#expect(status === 200, `${status} ${picture}`)
  }

  /** Opens a page that shows a picture. */
  async #seen(url: string, title: string, name: string): Promise<void> {
    const { text, pictures } = await this.#setting.looks.look(
      url,
      async (page) => ({ text: await page.innerText('body'), pictures: await picturesOf(page) }),
      name,
    )
    this.#expect(text.includes(title), `${url} does not show ${title}: ${text}`)
    this.#expect(pictures.drawn > 0 && pictures.lost.length === 0, `${url}: pictures are ${JSON.stringify(pictures)}`)
  }

  async #imported(): Promise<void> {
    const answer = await fetch(`${this.#site}/api/cms/v2/posts?slug=${importedSlug}`)
    const [post] = (await answer.json()) as readonly { readonly link: string }[]
    this.#expect(post !== undefined, `the import has brought no ${importedSlug}: ${this.#outputOf('old-uploads')}`)
    if (post) await this.#seen(post.link, 'The old pier', 'imported')
  }

  async #form(): Promise<void> {
    const url = this.#outputOf('src/contact.ts').trim()
    const text = await this.#setting.looks.look(
      url,
      async (page) => {
        await page.getByLabel('Your name').fill('Pat')
        await page.getByLabel('E-mail').fill('pat@example.org')
        await page.getByLabel('Message').fill('Is the harbour open?')
        await page.getByRole('button', { name: 'Send' }).click()
        await page.getByRole('status').or(page.getByRole('alert')).first().waitFor({ timeout: 20_000 })
        return page.innerText('body')
      },
      'contact',
    )
    const mail = await this.#machine.mails.next()
    const isWhole = mail.to.includes('office@example.com') && mail.source.includes('Is the harbour open?')
    this.#expect(isWhole, `the form says ${text}, and the mail is ${mail.source}`)
  }

  async #webhook(): Promise<void> {
    const receiver = this.#programs.get('node src/receiver.ts')
    if (!receiver) throw new Error('there is no receiver')
    await heard(receiver, /received post\.published: (spring-tide)/)
  }
}

const changesFrom = (steps: readonly Step[], at: number): readonly Change[] => {
  const rest = steps.slice(at)
  const end = rest.findIndex((step) => step.kind !== 'change' || step.path !== (rest[0] as Change).path)
  return (end === -1 ? rest : rest.slice(0, end)) as readonly Change[]
}

/** Lines of a stack trace, each trace as one. */
const stacksIn = (output: string): readonly string[] =>
  [...output.matchAll(/^.*\n(?: {4,}at .+(?:\n|$))+/gm)].map(([stack]) => stack)

async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => new Promise((resolve) => server.once('listening', resolve))))
  const ports = servers.map((server) => (server.address() as { readonly port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
