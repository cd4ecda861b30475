import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { ConfigError, readConfig, settingsSchema } from './config.ts'
import { settingsPage } from './settings-table.ts'

const production = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://tideline.example',
  TOKEN_SECRET: 'x'.repeat(32),
  ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  SMTP_URL: 'smtp://mail.example',
}

test('nothing needs to be set for the demonstration', () => {
  expect(readConfig({})).toMatchObject({ PORT: 8080, publicUrl: 'http://localhost:8080', production: false })
})

test('an empty variable counts as absent', () => {
  expect(readConfig({ PORT: '' }).PORT).toBe(8080)
})

test('one sentence names every invalid setting', () => {
  expect(() => readConfig({ PORT: 'eighty', DATABASE_URL: 'mysql://x' })).toThrow(
    /PORT: .*; DATABASE_URL: must begin with postgres/,
  )
  expect(() => readConfig({ PORT: '70000' })).toThrow(ConfigError)
})

test.each(['TOKEN_SECRET', 'ENCRYPTION_KEYS', 'PUBLIC_URL', 'SMTP_URL'] as const)(
  'production does not start without %s',
  name => {
    expect(readConfig(production).production).toBe(true)
    expect(() => readConfig({ ...production, [name]: undefined })).toThrow(name)
  },
)

test('a key of the wrong length is invalid', () => {
  expect(() => readConfig({ ENCRYPTION_KEYS: `k1:${randomBytes(16).toString('base64')}` })).toThrow(/ENCRYPTION_KEYS/)
})

test('the access key of the queue is invalid without its secret', () => {
  expect(() => readConfig({ ADS_STREAM_QUEUE_KEY_ID: 'AKIA' })).toThrow('go together')
})

test('push services become origins, and the contact defaults to the sender of mails', () => {
  const { PUSH_HOSTS, pushContact } = readConfig({ PUSH_HOSTS: 'http://localhost:8081/push, https://push.example' })
  expect(PUSH_HOSTS).toEqual(['http://localhost:8081', 'https://push.example'])
  expect(pushContact).toBe('mailto:no-reply@tideline.test')
  expect(readConfig({ MAIL_FROM: 'post@tideline.example' }).pushContact).toBe('mailto:post@tideline.example')
  for (const [name, value] of [
    ['PUSH_HOSTS', 'nonsense'],
    ['PUSH_CONTACT', 'nobody'],
    ['VAPID_KEYS', 'k1:short'],
  ] as const)
    expect(() => readConfig({ [name]: value })).toThrow(name)
})

test('every setting has a description', () => {
  for (const [name, schema] of Object.entries(settingsSchema.shape)) expect(schema.description, name).toBeTruthy()
})

test('SETTINGS.md lists the settings of the schema', async () => {
  expect(await readFile(new URL('SETTINGS.md', import.meta.url), 'utf8')).toBe(settingsPage())
})
