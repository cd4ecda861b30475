import { afterAll, beforeAll, expect, test } from 'vitest'
import { createMailer } from '#integrations/mail/index.ts'
import { startSandbox } from '#sandbox/start-sandbox.ts'
import { testServices } from '../../../tests/support/services.ts'
import { renderMail } from './render-mail.ts'
import { mailJobs, purgeMailsJob, queueMail, sendMailJob } from './outbox.ts'
import { waitUntil } from '../../../tests/support/wait-until.ts'

let services: Awaited<ReturnType<typeof testServices>>
let sandbox: Awaited<ReturnType<typeof startSandbox>>
let mailer: ReturnType<typeof createMailer>
beforeAll(async () => {
  sandbox = await startSandbox({ scenario: 'new-seller' })
  mailer = createMailer({ smtpUrl: `smtp://localhost:${sandbox.smtpPort}`, from: 'Tideline <no-reply@tideline.test>' })
  services = await testServices({ integrations: { mailer }, jobs: mailJobs })
  await services.jobs.work(services)
})
afterAll(async () => {
  await services.close()
  mailer.close()
  await sandbox.close()
})

function mail(to: string, dedupeKey: string) {
  return {
    to,
    dedupeKey,
    ...renderMail({ subject: `About ${dedupeKey}`, greeting: 'Hello Mara,', paragraphs: ['Something happened.'] }),
  }
}
const queue = (to: string, key: string) => services.db.transaction(tx => queueMail(services, tx, mail(to, key)))
const row = (id: number) =>
  services.db.system.selectFrom('mail_outbox').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const settled = (id: number, state: string) => waitUntil(async () => expect(await row(id)).toMatchObject({ state }))
async function subjectsTo(to: string) {
  const all = (await (await sandbox.control('GET', 'mail')).json()) as { to: string[]; subject: string }[]
  return all.filter(l => l.to.includes(to)).map(l => l.subject)
}

test('a mail goes out when its transaction commits, and its text is forgotten then', async () => {
  const id = (await queue('mara@people.test', 'one')) ?? 0
  await settled(id, 'DELIVERED')
  expect(await subjectsTo('mara@people.test')).toEqual(['About one'])
  expect(await row(id)).toMatchObject({ text: null, html: null, attempts: 1, last_error: null })
})

test('a mail of a transaction that fails never was', async () => {
  const refused = services.db.transaction(async tx => {
    await queueMail(services, tx, mail('never@people.test', 'never'))
    throw new Error('rolled back')
  })
  await expect(refused).rejects.toThrow('rolled back')
  await settled((await queue('after@people.test', 'after')) ?? 0, 'DELIVERED')
  expect(await subjectsTo('never@people.test')).toEqual([])
})

test('one occasion makes one mail', async () => {
  const id = (await queue('twice@people.test', 'twice')) ?? 0
  expect(await queue('twice@people.test', 'twice')).toBeNull()
  await settled(id, 'DELIVERED')
  await sendMailJob.run(
    services,
    { id },
    { id: 'x', attempt: 1, lastAttempt: false, signal: new AbortController().signal },
  )
  expect(await subjectsTo('twice@people.test')).toHaveLength(1)
})

test('what the mail server refuses for good is noted and not tried again', async () => {
  const id = (await queue('bounce-550@people.test', 'bounce')) ?? 0
  await settled(id, 'REFUSED')
  expect(await row(id)).toMatchObject({ attempts: 1, last_error: expect.stringContaining('550') })
})

test('what it will take later is tried again', async () => {
  const id = (await queue('once-451@people.test', 'later')) ?? 0
  await settled(id, 'DELIVERED')
  expect((await row(id)).attempts).toBe(2)
})

test('what nobody tries any longer keeps its text, so that an operator may put it back', async () => {
  const id = await services.db.system
    .insertInto('mail_outbox')
    .values({
      to_address: 'lost@people.test',
      subject: 's',
      text: 't',
      html: 'h',
      dedupe_key: 'lost',
      last_error: null,
      created_at: services.clock.now(),
      settled_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sendMailJob.onFinalFailure?.(services, id, new Error('down for a day'))
  expect(await row(id.id)).toMatchObject({ state: 'GIVEN_UP', text: 't' })
  await services.jobs.send(services.db.system, sendMailJob, id)
  await settled(id.id, 'DELIVERED')
})

test('mails of more than 90 days ago are removed', async () => {
  const id = (await queue('old@people.test', 'old')) ?? 0
  await settled(id, 'DELIVERED')
  const run = { id: 'x', attempt: 0, lastAttempt: false, signal: new AbortController().signal }
  const inDays = (days: number) => ({ now: () => new Date(Date.now() + days * 86_400_000) })
  await purgeMailsJob.run({ ...services, clock: inDays(89) }, {}, run)
  expect(await row(id)).toBeDefined()
  await purgeMailsJob.run({ ...services, clock: inDays(91) }, {}, run)
  await expect(row(id)).rejects.toThrow('no result')
})

test('what stands in a mail is shown and never run, in text and HTML alike', () => {
  const laid = renderMail({
    subject: 'S <1>',
    greeting: 'Hello <img src=x onerror=alert(1)>,',
    paragraphs: ['A & B'],
    action: { label: 'Go', url: 'https://app.test/x?a=1&b="2"' },
  })
  expect(laid.html).not.toContain('<img')
  expect(laid.html).toContain('href="https://app.test/x?a=1&amp;b=&quot;2&quot;"')
  expect(laid.text).toContain('Go:\nhttps://app.test/x?a=1&b="2"')
})
