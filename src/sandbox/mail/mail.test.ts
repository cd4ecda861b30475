import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import nodemailer from 'nodemailer'
import { afterEach, expect, test } from 'vitest'
import { World } from '../core/world.ts'
import { createMarket } from '../market/create-market.ts'
import { scenarios } from '../scenarios/scenarios.ts'
import type { Letter } from './outbox.ts'
import { registerMail } from './register.ts'
import { startMailServer } from './smtp-server.ts'

interface Post {
  world: World
  app: FastifyInstance
  send(to: string, more?: object): Promise<number>
  letters(): Promise<Letter[]>
}

const controlToken = 'the-token-of-this-test'
const headers = { authorization: `Bearer ${controlToken}` }
const closing: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function openPost(data?: string): Promise<Post> {
  const config = {
    publicUrl: 'http://sandbox.test',
    clients: new Map<string, string>(),
    sellingPartnerApp: 'app',
    controlToken,
  }
  const world = new World({ scenarios, scenario: 'new-seller', createMarket, config, data })
  const app = Fastify()
  registerMail(app, world)
  const sink = await startMailServer(world, 0)
  const transport = nodemailer.createTransport({
    host: 'localhost',
    port: sink.port,
    ignoreTLS: true,
    auth: { user: 'any', pass: 'body' },
  })
  closing.push(async () => {
    transport.close()
    await Promise.all([app.close(), sink.close()])
  })
  return {
    world,
    app,
    // What the server answered: 250 when it took the message.
    send: (to, more = {}) =>
      transport
        .sendMail({ from: 'Tideline <no-reply@tideline.test>', to, subject: 'Grüße', text: 'Hello', ...more })
        .then(
          () => 250,
          (error: { responseCode?: number }) => error.responseCode ?? 0,
        ),
    letters: async () => (await app.inject({ url: '/control/mail', headers })).json<Letter[]>(),
  }
}

test('a message arrives whole, newest first, with its links', async () => {
  const post = await openPost()
  await post.send('one@x.test')
  await post.send('two@x.test', {
    text: 'See https://x.test/a?b=1&c=2.',
    html: '<a href="https://x.test/a?b=1&amp;c=2">here</a> <a href="javascript:alert(1)">no</a>',
  })
  expect(await post.letters()).toMatchObject([
    { to: ['two@x.test'], subject: 'Grüße', links: ['https://x.test/a?b=1&c=2'], from: 'no-reply@tideline.test' },
    { to: ['one@x.test'], text: 'Hello\n', links: [] },
  ])
  await post.app.inject({ method: 'DELETE', url: '/control/mail', headers })
  expect(await post.letters()).toEqual([])
})

test('the pages show a message and run nothing of it', async () => {
  const post = await openPost()
  await post.send('one@x.test', {
    subject: '<script>alert(1)</script>',
    html: '<script>alert(2)</script><a href="https://x.test/go">go</a>',
  })
  const [letter] = await post.letters()
  for (const path of ['/mail', `/mail/${letter?.id}`]) {
    const page = await post.app.inject(path)
    expect(page.statusCode).toBe(200)
    expect(page.body).not.toContain('<script>')
    expect(page.body).toContain('&lt;script&gt;alert(1)')
  }
  expect((await post.app.inject(`/mail/${letter?.id}`)).body).toContain('<a href="https://x.test/go">')
  expect((await post.app.inject('/mail/999')).statusCode).toBe(404)
})

test('recipients can bounce for good or once', async () => {
  const post = await openPost()
  expect(await post.send('bounce-550@x.test')).toBe(550)
  expect(await post.send('bounce-550@x.test')).toBe(550)
  expect(await post.send('once-451@x.test')).toBe(451)
  expect(await post.send('once-451@x.test')).toBe(250)
  expect((await post.letters()).map(letter => letter.to)).toEqual([['once-451@x.test']])
})

test('the outbox outlives a restart and is emptied by a reset', async () => {
  const data = await mkdtemp(join(tmpdir(), 'sandbox-mail-'))
  const first = await openPost(data)
  await first.send('one@x.test')
  // No close: as after a kill.
  const second = await openPost(data)
  expect((await second.letters()).map(letter => letter.to)).toEqual([['one@x.test']])
  second.world.reset('new-seller')
  expect(await second.letters()).toEqual([])
  closing.push(() => rmSync(data, { recursive: true, force: true }))
})

test('links are read from HTML and text, each once', async () => {
  const post = await openPost()
  await post.send('one@x.test', {
    text: 'Go to https://a.test/x, or (http://b.test).',
    html: '<a href="https://a.test/x">x</a>',
  })
  expect((await post.letters())[0]?.links).toEqual(['https://a.test/x', 'http://b.test'])
})
