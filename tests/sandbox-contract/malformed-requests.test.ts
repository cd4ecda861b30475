import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Sample, samplesOf } from './fuzz/samples.ts'
import { openWholeEmulator, type Question, type WholeEmulator } from './fuzz/whole-emulator.ts'

let open: WholeEmulator
beforeAll(async () => {
  open = await openWholeEmulator()
})
afterAll(() => open.close())

/** Answers 500 or more, with what was thrown, and refusals in words that are none of the vendor's. */
async function failuresOf(questions: Iterable<Question>): Promise<string[]> {
  const failures: string[] = []
  for (const question of questions) {
    const { status, text } = await open.ask(question)
    const thrown = open.crashes()
    const isForeign = /^\/(ads|sp|lwa|s3|sqs)\b/.test(question.url) && text.includes('"FST_')
    if (status < 500 && !isForeign) continue
    const body = String(question.body ?? '').slice(0, 200)
    failures.push(
      `${status} ${question.method} ${question.url} ${body} ${text.slice(0, 100)}\n  ${thrown.join('\n  ')}`,
    )
  }
  return failures
}

const filled = (url: string): string => url.replaceAll(/:\w+/g, '404').replace('*', 'x')
const jsonTypes = ['application/json', 'application/x-www-form-urlencoded', '']
const nested = (opened: string, closed: string, depth: number): string => opened.repeat(depth) + closed.repeat(depth)
const bodies: readonly (string | Buffer)[] = [
  '',
  ' ',
  '{',
  '{"a":',
  '[{"name":"x"',
  'null',
  'true',
  '7',
  '"text"',
  '[]',
  '[null]',
  '[[]]',
  '[1,"2",true,{}]',
  '{}',
  '{"a":1e999,"b":-1e999,"c":123456789012345678901234567890}',
  '{"__proto__":{"a":1},"constructor":1,"toString":1}',
  '{"a":"\\u0000\\ud800"}',
  'undefined',
  'NaN',
  nested('[', ']', 20_000),
  nested('{"a":', '}', 5000).replace('}', '1}'),
  Buffer.from('{"name":"Größe"}', 'latin1'),
  Buffer.from('\ufeff{"name":"x"}', 'utf16le'),
  Buffer.from([0xff, 0xfe, 0x00, 0x80, 0xc3, 0x28]),
  gzipSync('{}'),
]

/** Media types to try with a call: its own, if it has one, and those that clients send by mistake. */
function typesOf(samples: readonly Sample[], url: string, method: string): string[] {
  const own = samples.filter(sample => sample.method === method && sample.url.split('?')[0] === url)
  return [...new Set([...own.map(sample => sample.type), ...jsonTypes])]
}

test('no call with a body that cannot be used is answered 500', async () => {
  const samples = samplesOf(open.world)
  const questions = open.routes.flatMap(({ method, url }): Question[] => {
    const path = filled(url)
    if (method === 'GET') return [{ method, url: path }]
    return typesOf(samples, path, method).flatMap(type =>
      bodies.map((body): Question => {
        const packed = typeof body !== 'string' && { 'content-encoding': 'gzip' }
        return { method, url: path, headers: { 'content-type': type, accept: '*/*', ...packed }, body }
      }),
    )
  })
  expect(questions.length).toBeGreaterThan(10_000)
  expect(await failuresOf(questions)).toEqual([])
})

const wrongValues: readonly unknown[] = [
  null,
  -1,
  1e300,
  '',
  [],
  [null],
  {},
  { include: [null] },
  { include: 'x' },
  JSON.parse(nested('[', ']', 2000)),
]

/** Copies of a value, each with one part of it replaced by something of another kind, or left out. */
function* spoiled(value: unknown): Generator<unknown> {
  yield* wrongValues
  if (typeof value !== 'object' || value === null) return
  for (const [key, inside] of Object.entries(value)) {
    const put = (other: unknown): unknown =>
      Array.isArray(value) ? value.with(Number(key), other) : { ...value, [key]: other }
    yield put(undefined)
    for (const other of spoiled(inside)) yield put(other)
  }
}

test('no part of a request can be replaced so that the answer is 500', { timeout: 900_000 }, async () => {
  let tried = 0
  const questions = function* (): Generator<Question> {
    for (const { method, url, type, body } of samplesOf(open.world))
      for (const wrong of spoiled(body)) {
        tried++
        yield { method, url, headers: { 'content-type': type, accept: '*/*' }, body: JSON.stringify(wrong) }
      }
  }
  expect(await failuresOf(questions())).toEqual([])
  expect(tried).toBeGreaterThan(10_000)
})

// Every parameter that some call reads; most calls ignore most of them.
const parameters =
  'stateFilter campaignIdFilter adGroupIdFilter keywordIdFilter targetIdFilter adIdFilter portfolioIdFilter startIndex count name keywordText creativeType matchTypeFilter profileTypeFilter validPaymentMethodFilter accessLevel brandTypeFilter locale maxResults startingToken nextToken includeAncestor marketplaceIds marketplaceId granularityType granularityId startDateTime sellerSkus sellerSku details includedData pageSize pageToken sortBy sortOrder identifiers identifiersType keywords brandNames classificationIds keywordsLocale reportTypes processingStatuses createdSince createdUntil feedTypes interval granularity granularityTimeZone buyerType fulfillmentNetwork firstDayOfWeek asin sku supplySource includeOnlyRootCategories parentCategoryRefinementId createdAfter createdBefore lastUpdatedAfter lastUpdatedBefore fulfillmentStatuses maxResultsPerPage paginationToken mode issueLocale application_id state redirect_uri version client_id scope response_type code_challenge code_challenge_method Token vendor method path after'.split(
    ' ',
  )
const wrongTexts = [
  '',
  'x',
  '-1',
  '1e999',
  'null',
  '[]',
  '{"a":1}',
  '2026-13-45T99:99:99Z',
  '%00',
  '\u{1f600}',
  'a,b,,c',
]

test('no parameter of an address can be such that the answer is 500', async () => {
  const queries = wrongTexts.flatMap(text => {
    const value = encodeURIComponent(text)
    const once = parameters.map(name => `${name}=${value}`).join('&')
    return [once, `${once}&${once}`]
  })
  const valid = `marketplaceIds=ATVPDKIKX0DER&granularityType=Marketplace&granularityId=ATVPDKIKX0DER&interval=2026-11-01T00:00:00Z--2026-11-02T00:00:00Z&granularity=Day&createdAfter=2026-11-20T00:00:00Z&reportTypes=X&feedTypes=X&identifiersType=ASIN&identifiers=B0`
  const questions = open.routes
    .filter(({ method }) => method === 'GET' || method === 'DELETE')
    .flatMap(({ method, url }): Question[] => {
      const path = filled(url)
      const single = parameters.map(name => `${path}?${valid}&${name}=x&${name}=x`)
      return [...queries.map(query => `${path}?${query}`), ...single].map(address => ({ method, url: address }))
    })
  expect(await failuresOf(questions)).toEqual([])
})
