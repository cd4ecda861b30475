import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, test } from 'vitest'
import { openapi } from '#server/http/openapi.ts'
import { routes } from '../src/main/api.ts'

const endpoints = routes.map(route => route.endpoint)
interface ReadOperation {
  parameters: { in: string; name: string }[]
  responses: Record<number, { headers?: object; content?: object } | undefined>
}
const document = openapi(endpoints, { title: 'Tideline', version: '1' })

test('the document is valid OpenAPI 3.1', async () => {
  expect(await new Validator().validate(document)).toMatchObject({ valid: true })
})

test('every endpoint is unique and documented', () => {
  const names = endpoints.map(e => `${e.method} ${e.path.replace(/:(\w+)/g, '{$1}')}`)
  expect(new Set(names).size).toBe(names.length)
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
  )
  expect(described.sort()).toEqual([...names].sort())
})

test('every GET documents its ETag and its 304 answer', () => {
  const reads = endpoints.filter(e => e.method === 'GET' && !e.file)
  for (const { path } of reads) {
    const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.get as ReadOperation | undefined
    const { parameters = [], responses = {} } = described ?? {}
    expect([path, parameters.some(p => p.in === 'header' && p.name === 'If-None-Match')]).toEqual([path, true])
    expect([path, Object.keys(responses[200]?.headers ?? {})]).toEqual([path, ['ETag']])
    expect([path, Object.keys(responses[304] ?? {})]).toEqual([path, ['description', 'headers']])
  }
  expect(reads.length).toBeGreaterThan(20)
})

test('POST /campaign/create takes an Idempotency-Key', () => {
  const keyed = endpoints.filter(e => e.idempotencyKey).map(e => `${e.method} ${e.path}`)
  expect(keyed).toContain('POST /campaign/create')
})

test('only the listed endpoints are public', () => {
  const open = endpoints
    .filter(e => e.access === 'public')
    .map(e => `${e.method} ${e.path}`)
    .sort()
  expect(open).toEqual([
    // Its signature is the permission.
    'GET /performance-reports/:id/file',
    'GET /subscriptions/plans',
    'POST /auth/forgot-password',
    'POST /auth/keep-account',
    'POST /auth/login',
    'POST /auth/refresh',
    'POST /auth/register',
    'POST /auth/resend-verification',
    'POST /auth/reset-password',
    'POST /auth/verify-email',
    // Its signature is the permission.
    'POST /billing/webhook',
    // Its token is the permission.
    'POST /notifications/actions/:token',
    'POST /notifications/unsubscribe/:token',
    // The token of the mail is the permission.
    'POST /team/invitations/decline',
    'POST /team/invitations/open',
    'POST /team/invitations/register',
  ])
})
