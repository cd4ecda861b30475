import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createGzip } from 'node:zlib'
import { addDays } from '#shared/time.ts'

// A process of its own that makes the report files of the large account and hands them out as the marketplace does, so that
// neither its time nor its memory is counted with the import's.

/** What the next reports hold. */
export interface ReportContent {
  from: string
  to: string
  profileId: number
  campaigns: number
  keywordsPerGroup: number
  /** Every how many-th target was shown; ads and campaigns likewise, at most all. */
  every: number
  /** Every how many-th of them differs from what it was in round 0. */
  restated: number
  round: number
}

const groupsPerCampaign = 2
let folder = ''
let content: ReportContent

// The marketplace's ids as the structure was seeded with them.
const idOf = (thing: number, n: number) => thing * 1e12 + content.profileId * 1e6 + n

/** The fields of one row of one report; a report is what each row of a day holds. */
function* subjectsOf(type: string): Generator<string> {
  const { campaigns, keywordsPerGroup, every } = content
  const groups = campaigns * groupsPerCampaign
  // As long as the marketplace's own; nothing is looked up by it.
  const group = (x: number) => `"adGroupId":4433721692${10_000_000 + x}`
  const campaign = (x: number) => `"campaignId":${idOf(1, Math.ceil(x / groupsPerCampaign))}`
  if (type === 'spCampaigns') for (let n = 1; n <= campaigns; n++) yield `"campaignId":${idOf(1, n)}`
  if (type === 'spAdvertisedProduct')
    for (let x = 1; x <= groups; x++)
      yield `${campaign(x)},${group(x)},"adId":${idOf(3, x)},"advertisedAsin":"B0${String(1 + (x % 2000)).padStart(8, '0')}"`
  const isTerms = type === 'spSearchTerm'
  if (type !== 'spTargeting' && !isTerms) return
  let at = 0
  for (let x = 1; x <= groups; x++)
    for (let n = 1; n <= keywordsPerGroup + 1; n++) {
      if (at++ % (isTerms ? every * 4 : every)) continue
      const target = n > keywordsPerGroup ? idOf(5, x) : idOf(4, x * 100 + n)
      yield `${campaign(x)},${group(x)},"keywordId":${target}${isTerms ? `,"searchTerm":"term ${at} for \\"hose\\""` : ''}`
    }
}

function figuresOf(index: number): string {
  const { restated, round } = content
  const n = index + (index % restated ? 0 : round)
  const [clicks, orders] = [n % 13, n % 3]
  const sales = `${orders * 19}.99`
  return (
    `"impressions":${(n * 7) % 900},"clicks":${clicks},"cost":${(clicks * 41) / 100},"purchases7d":${orders},"purchases14d":${orders},` +
    `"unitsSoldClicks7d":${orders},"unitsSoldClicks14d":${orders},"sales7d":${sales},"sales14d":${sales}`
  )
}

const fileOf = (type: string) => join(folder, `${type}.json.gz`)

async function writeReport(type: string): Promise<number> {
  const gzip = createGzip({ level: 1 })
  const written = gzip.pipe(createWriteStream(fileOf(type)))
  let [rows, text] = [0, '[']
  for (let date = content.from; date <= content.to; date = addDays(date, 1)) {
    let index = 0
    for (const subject of subjectsOf(type)) {
      text += `${rows++ ? ',' : ''}{"date":"${date}",${subject},${figuresOf(index++)}}`
      if (text.length < 1e6) continue
      if (!gzip.write(text)) await once(gzip, 'drain')
      text = ''
    }
  }
  gzip.end(`${text}]`)
  await once(written, 'close')
  return rows
}

const types = ['spCampaigns', 'spTargeting', 'spSearchTerm', 'spAdvertisedProduct']

if (process.send) {
  folder = await mkdtemp(join(tmpdir(), 'tideline-reports-'))
  const server = createServer((request, response) => {
    const [, kind, , id = ''] = (request.url ?? '').split('/')
    const answer = (body: object) =>
      response.setHeader('content-type', 'application/json').end(JSON.stringify({ configuration: null, ...body }))
    if (kind === 'file') return void createReadStream(fileOf(request.url?.split('/')[2] ?? '')).pipe(response)
    const url = `http://${request.headers.host}/file/${id}`
    if (request.method !== 'POST') return void answer({ reportId: id, status: 'COMPLETED', url })
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      const { configuration } = JSON.parse(body) as { configuration: { reportTypeId: string } }
      answer({ reportId: configuration.reportTypeId, status: 'PENDING' })
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
  process.on('message', (next: ReportContent) => {
    content = next
    void (async () => {
      const rows: number[] = []
      for (const type of types) rows.push(await writeReport(type))
      process.send?.({ rows: rows.reduce((sum, one) => sum + one, 0) })
    })()
  })
  process.on('disconnect', () => void rm(folder, { recursive: true, force: true }).finally(() => process.exit(0)))
}
