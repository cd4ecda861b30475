import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { addDays } from '#shared/time.ts'

// A process of its own that answers as the marketplace's reports do, for every account that seed-merchants.ts makes: its ids
// begin with the account's, so that nothing has to be remembered. All else it answers with an empty list.

const campaigns = Array.from({ length: 10 }, (_, n) => String(n + 1).padStart(2, '0'))

/** The things of a report of an account, each with the ids that a row of it has. */
function subjectsOf(type: string, profile: string): object[] {
  return campaigns.flatMap((n, index): object[] => {
    const campaignId = Number(profile + n)
    const adGroupId = Number(`${campaignId}1`)
    const keywords = [3, 4].map(last => ({ campaignId, adGroupId, keywordId: Number(`${campaignId}${last}`) }))
    if (type === 'spCampaigns') return [{ campaignId }]
    if (type === 'spAdvertisedProduct')
      return [
        {
          campaignId,
          adGroupId,
          adId: Number(`${campaignId}2`),
          advertisedAsin: `B0${String(index).padStart(8, '0')}`,
        },
      ]
    if (type === 'spTargeting') return keywords
    if (type === 'spSearchTerm') return keywords.slice(0, 1).map(one => ({ ...one, searchTerm: `hose ${n}` }))
    return []
  })
}

function figuresOf(n: number): object {
  const [clicks, orders] = [n % 13, n % 3]
  return {
    impressions: (n * 7) % 900,
    clicks,
    cost: (clicks * 41) / 100,
    purchases7d: orders,
    purchases14d: orders,
    unitsSoldClicks7d: orders,
    unitsSoldClicks14d: orders,
    sales7d: orders * 19.99,
    sales14d: orders * 19.99,
  }
}

/** Which figures the reports have; null has other ones in each second, so that there is something to save. */
let fixedRound: number | null = null

function reportFile(id: string): Buffer {
  const [type = '', from = '', to = '', profile = ''] = id.split('.')
  const rows: object[] = []
  const round = fixedRound ?? Math.floor(Date.now() / 1000)
  for (let date = from; date <= to; date = addDays(date, 1))
    for (const subject of subjectsOf(type, profile)) rows.push({ date, ...subject, ...figuresOf(round + rows.length) })
  return gzipSync(JSON.stringify(rows), { level: 1 })
}

if (process.send) {
  let calls = 0
  const server = createServer((request, response) => {
    calls += 1
    const answer = (body: object) => response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
    const [, kind, ...rest] = (request.url ?? '').split('/')
    const id = rest.at(-1) ?? ''
    let body = ''
    request.on('data', chunk => (body += String(chunk)))
    request.on('end', () => {
      if (kind === 'calls') return answer({ calls })
      if (kind === 'same-figures') return answer({ round: (fixedRound = 0) })
      if (kind === 'history') return answer({ events: [], nextToken: null })
      if (kind === 'sp') return answer({})
      if (kind === 'file') return response.end(reportFile(id))
      if (kind !== 'reporting') return answer([])
      const url = `http://${request.headers.host}/file/${id}`
      if (request.method === 'GET') return answer({ configuration: null, reportId: id, status: 'COMPLETED', url })
      const { startDate, endDate, configuration } = JSON.parse(body) as {
        startDate: string
        endDate: string
        configuration: { reportTypeId: string }
      }
      const profile = String(request.headers['amazon-advertising-api-scope'])
      const reportId = [configuration.reportTypeId, startDate, endDate, profile].join('.')
      answer({ configuration: null, reportId, status: 'PENDING' })
    })
  })
  server.listen(0, '127.0.0.1', () => {
    process.send?.({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
  })
  process.on('disconnect', () => process.exit(0))
}
