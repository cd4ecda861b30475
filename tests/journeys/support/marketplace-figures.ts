import { gunzipSync } from 'node:zlib'
import { expect, type Page } from '@playwright/test'
import { consentTo } from '../../../src/main/demonstration/outside-world.ts'
import type { Processes } from '../../support/processes.ts'
import { sellerLogin } from './people.ts'

export const usProfileId = 4100000000000011

type Sandbox = Processes['sandbox']

async function json(answer: Response): Promise<Record<string, unknown>> {
  if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}: ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

/** The number of entities per kind at the marketplace. */
export const entityCounts = async (sandbox: Sandbox): Promise<Record<string, number>> =>
  (await json(await sandbox.control('GET', 'state')))['counts'] as Record<string, number>

const client = { client_id: 'amzn1.application-oa2-client.demo', client_secret: 'amzn1.oa2-cs.v1.demo' }

/** A token of the seller, for the test's own requests to the marketplace. */
async function sellerToken({ url }: Sandbox): Promise<string> {
  const redirect_uri = 'http://localhost/own'
  const query = new URLSearchParams({
    client_id: client.client_id,
    scope: 'advertising::campaign_management',
    response_type: 'code',
    redirect_uri,
  })
  const back = await consentTo(`${url}/lwa/ap/oa?${query.toString()}`, { login: sellerLogin.login })
  const code = back.searchParams.get('code') ?? ''
  const body = new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri, ...client })
  return String((await json(await fetch(`${url}/lwa/auth/o2/token`, { method: 'POST', body })))['access_token'])
}

export interface Sums {
  cost: number
  sales: number
  orders: number
  clicks: number
  impressions: number
}

const columns = ['date', 'impressions', 'clicks', 'cost', 'sales7d', 'purchases7d']

/** The sums of the marketplace's report for these days, in the profile's currency. */
export async function reportSums(sandbox: Sandbox, days: { startDate: string; endDate: string }): Promise<Sums> {
  const headers = {
    authorization: `Bearer ${await sellerToken(sandbox)}`,
    'amazon-advertising-api-clientid': client.client_id,
    'amazon-advertising-api-scope': String(usProfileId),
    'content-type': 'application/vnd.createasyncreportrequest.v3+json',
  }
  const configuration = {
    adProduct: 'SPONSORED_PRODUCTS',
    reportTypeId: 'spCampaigns',
    groupBy: ['campaign'],
    columns,
    timeUnit: 'DAILY',
    format: 'GZIP_JSON',
  }
  const reports = `${sandbox.url}/ads/na/reporting/reports`
  const requested = await json(
    await fetch(reports, { method: 'POST', headers, body: JSON.stringify({ ...days, configuration }) }),
  )
  let report: Record<string, unknown> = requested
  await expect(async () => {
    report = await json(await fetch(`${reports}/${String(requested['reportId'])}`, { headers }))
    expect(report['status']).toBe('COMPLETED')
  }).toPass()
  const file = gunzipSync(Buffer.from(await (await fetch(String(report['url']))).arrayBuffer()))
  const rows = JSON.parse(file.toString()) as Record<string, number>[]
  const sum = (column: string) => rows.reduce((total, row) => total + (row[column] ?? 0), 0)
  return {
    cost: sum('cost'),
    sales: sum('sales7d'),
    orders: sum('purchases7d'),
    clicks: sum('clicks'),
    impressions: sum('impressions'),
  }
}

/** A campaign with every bid, budget and keyword; amounts as text with two decimals, lists sorted. */
export interface CampaignSummary {
  name: string
  budget: string
  /** "ad group → default bid" */
  adGroups: string[]
  /** "ad group → text → match → bid" */
  bids: string[]
  /** "ad group → text" */
  negatives: string[]
}

const amount = (text: string): string => text.replace(/[^\d.]/g, '')

/** Opens a campaign of the profile in the marketplace's console and reads it with its children. */
export async function readInConsole(
  page: Page,
  sandbox: Sandbox,
  name: string,
): Promise<CampaignSummary & { state: string }> {
  await page.goto(`${sandbox.url}/console/enter#${sandbox.controlToken}`)
  await page.waitForURL(`${sandbox.url}/`)
  await page.goto(`${sandbox.url}/console/profiles/${usProfileId}`)
  await page.getByRole('link', { name, exact: true }).click()
  const text = (testId: string) => page.getByTestId(testId).innerText()
  const rows = (testId: string, cells: number[]) =>
    page
      .getByTestId(testId)
      .evaluateAll(
        (rows, columns) => rows.map(row => columns.map(i => row.querySelectorAll('td')[i]?.textContent ?? '')),
        cells,
      )
  const groups = await rows('ad-group', [0, 2])
  const keywords = await rows('keyword', [2, 0, 1, 4])
  const targets = await rows('target', [1, 0, 3])
  const negatives = await rows('negative-keyword', [2, 0])
  return {
    name,
    state: await text('campaign-state'),
    budget: amount(await text('campaign-budget')),
    adGroups: groups.map(([group = '', bid = '']) => `${group} → ${amount(bid)}`).sort(),
    bids: [
      ...keywords.map(([group, keyword, match, bid = '']) => `${group} → ${keyword} → ${match} → ${amount(bid)}`),
      ...targets.map(([group, expression, bid = '']) => `${group} → ${expression} → AUTO → ${amount(bid)}`),
    ].sort(),
    negatives: negatives.map(([group, keyword]) => `${group} → ${keyword}`).sort(),
  }
}

const autoExpressions: Record<string, string> = {
  'Close match': 'QUERY_HIGH_REL_MATCHES',
  'Loose match': 'QUERY_BROAD_REL_MATCHES',
  Substitutes: 'ASIN_SUBSTITUTE_RELATED',
  Complements: 'ASIN_ACCESSORY_RELATED',
}

/** The campaigns that the wizard's review shows. */
export async function readReview(page: Page): Promise<CampaignSummary[]> {
  const tree = page.getByRole('region', { name: 'Structure', exact: true })
  await expect(tree).toBeVisible()
  const read = await tree.evaluate(section => {
    const own = (element: Element | null | undefined): string =>
      [...(element?.childNodes ?? [])]
        .filter(node => node.nodeType === Node.TEXT_NODE)
        .map(node => node.textContent ?? '')
        .join('')
        .trim()
    return [...section.querySelectorAll('details')].map(campaign => ({
      name: campaign.querySelector('summary strong')?.textContent ?? '',
      about: campaign.querySelector('summary span')?.textContent ?? '',
      groups: [...campaign.querySelectorAll('.tree-group')].map(group => ({
        name: group.querySelector('h3')?.textContent ?? '',
        about: group.querySelector('p')?.textContent ?? '',
        lines: [...group.querySelectorAll('.tree-line')].map(line => ({
          text: own(line.querySelector('span')),
          // A brand label may follow the match type.
          match: line.querySelector('.tag')?.textContent?.split(' · ')[0] ?? '',
          bid: own(line.querySelector('.tree-bid')),
        })),
        negatives: own([...group.querySelectorAll('p')].find(p => p.textContent?.startsWith('Excluded'))),
      })),
    }))
  })
  return read.map(({ name, about, groups }) => ({
    name,
    budget: amount(/\$[\d,.]+/.exec(about)?.[0] ?? ''),
    adGroups: groups.map(g => `${g.name} → ${amount(/\$[\d,.]+/.exec(g.about)?.[0] ?? '')}`).sort(),
    bids: groups
      .flatMap(g =>
        g.lines.map(({ text, match, bid }) =>
          match === 'Automatic'
            ? `${g.name} → ${autoExpressions[text]} → AUTO → ${amount(bid)}`
            : `${g.name} → ${text} → ${match.toUpperCase()} → ${amount(bid)}`,
        ),
      )
      .sort(),
    negatives: groups
      .flatMap(g => (g.negatives ? g.negatives.split(', ').map(text => `${g.name} → ${text}`) : []))
      .sort(),
  }))
}

/** What a campaign of Sponsored Products has spent today until the last whole hour, in the profile's currency. */
export async function spentToday(sandbox: Sandbox, campaignId: string): Promise<number> {
  const type = 'application/vnd.spcampaignbudgetusage.v1+json'
  const headers = {
    authorization: `Bearer ${await sellerToken(sandbox)}`,
    'amazon-advertising-api-clientid': client.client_id,
    'amazon-advertising-api-scope': String(usProfileId),
    'content-type': type,
    accept: type,
  }
  const body = JSON.stringify({ campaignIds: [campaignId] })
  const answer = await json(
    await fetch(`${sandbox.url}/ads/na/sp/campaigns/budget/usage`, { method: 'POST', headers, body }),
  )
  const [usage] = answer['success'] as { budget: number; budgetUsagePercent: number }[]
  if (!usage) throw new Error(`the marketplace has no campaign ${campaignId}`)
  return (usage.budget * usage.budgetUsagePercent) / 100
}
