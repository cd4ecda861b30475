import { gzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { requireTrustedHost } from './download.ts'
import { unpackedBytes } from './download.ts'
import { parseRetryAfter } from './http-client.ts'

async function read(...chunks: Buffer[]) {
  async function* body() {
    yield* chunks
  }
  const parts: Buffer[] = []
  for await (const part of unpackedBytes(body())) parts.push(part)
  return Buffer.concat(parts).toString()
}

it('unpacks by the first two bytes, even when they come one by one', async () => {
  const packed = gzipSync('hello')
  expect(await read(packed)).toBe('hello')
  expect(await read(packed.subarray(0, 1), packed.subarray(1, 2), packed.subarray(2))).toBe('hello')
})

it('leaves plain files, short and empty ones, as they are', async () => {
  expect(await read(Buffer.from('hello'))).toBe('hello')
  expect(await read(Buffer.from('h'))).toBe('h')
  expect(await read()).toBe('')
})

it('fails on a packed file that broke off', async () => {
  await expect(read(gzipSync('hello'.repeat(1000)).subarray(0, 30))).rejects.toThrow()
})

const context = { upstream: 'x', operation: 'y' }
it.each([
  'https://offline-report-storage-us-east-1-prod.s3.amazonaws.com/report.json.gz?X-Amz-Signature=1',
  'https://d34o8swod1owfl.cloudfront.net/Report.txt',
  'http://localhost:9000/s3/report',
])('follows a link to the marketplace: %s', link => {
  expect(requireTrustedHost(link, 'http://localhost:9000/ads/na', context).href).toBe(link)
})

it.each([
  'http://localhost:9001/',
  'http://169.254.169.254/latest/meta-data',
  'http://bucket.s3.amazonaws.com/plain',
  'https://amazonaws.com.evil.example/x',
  'https://evilamazonaws.com/x',
  'file:///etc/passwd',
  'nonsense',
])('refuses a link elsewhere: %s', link => {
  expect(() => requireTrustedHost(link, 'http://localhost:9000/ads/na', context)).toThrow('unknown host')
})

it('reads Retry-After in both its forms', () => {
  const now = new Date('2026-11-21T10:00:00Z')
  expect(parseRetryAfter('2', now)).toBe(2000)
  expect(parseRetryAfter('Sat, 21 Nov 2026 10:00:05 GMT', now)).toBe(5000)
  expect(parseRetryAfter('soon', now)).toBeUndefined()
  expect(parseRetryAfter(null, now)).toBeUndefined()
})
