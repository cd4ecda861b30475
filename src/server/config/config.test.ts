import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

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

test('every broken setting is named in one sentence', () => {
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

test('a key of the wrong length is refused', () => {
  expect(() => readConfig({ ENCRYPTION_KEYS: `k1:${randomBytes(16).toString('base64')}` })).toThrow(/ENCRYPTION_KEYS/)
})

test('half a key to the queue is refused, since every call would be', () => {
  expect(() => readConfig({ ADS_STREAM_QUEUE_KEY_ID: 'AKIA' })).toThrow('go together')
})

test('push services are written down as origins, and told whom they may write to', () => {
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
