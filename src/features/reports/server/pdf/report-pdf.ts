import { textOn, textOnPaper } from '#features/branding/contract.ts'
import { textOfCard } from '#features/home/server/public.ts'
import type { Ctx } from '#server/context.ts'
import type { FileAnswer } from '#shared/define-endpoint.ts'
import { fileName } from '#server/http/table-file.ts'
import { marketplaceById } from '#shared/marketplaces.ts'
import { figureText, percentText, plainText } from '#shared/figure-text.ts'
import { currentRegion, dateText } from '#shared/region-format.ts'
import { reportKinds } from '../../contract.ts'
import { barChart, barChartHeight, lineChart } from './charts.ts'
import { hairline, margin, muted, openPaper, type Paper } from './paper.ts'
import { type Content, type Part, type Progress, readContent, type ReportRequest, valueText } from './read-content.ts'
import { drawTable } from './table.ts'

const dayText = (day: string, style: 'medium' | 'long' = 'medium'): string =>
  dateText(currentRegion().locale, { dateStyle: style, timeZone: 'UTC' }, new Date(`${day}T12:00:00Z`))
const shortDay = (day: string): string =>
  dateText(currentRegion().locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }, new Date(`${day}T12:00:00Z`))

/** The report as a PDF that an agency would send: tagged, with embedded fonts and vectors only, in its reader's format. */
export async function reportPdf(ctx: Ctx, request: ReportRequest, progress: Progress): Promise<FileAnswer> {
  const { kind, profile, look, dateFrom, dateTo } = request
  const content = await readContent(ctx, request, progress)
  await progress(80, 'Drawing the pages')
  const { label, file } = reportKinds[kind]
  const paper = await openPaper({
    title: `${label} of ${profile.merchantName}, ${dayText(dateFrom)} to ${dayText(dateTo)}`,
    author: look.name ?? 'Tideline',
    size: /-(US|CA)$/.test(currentRegion().locale) ? 'LETTER' : 'A4',
  })
  drawCover(paper, ctx, request)
  drawSummary(paper, request, content)
  for (const part of content.parts) drawPart(paper, request, part)
  drawFooters(paper, request)
  paper.root.end()
  paper.doc.end()
  return {
    name: `${fileName(file, profile, { from: dateFrom, to: dateTo })}.pdf`,
    mediaType: 'application/pdf',
    content: paper.doc as AsyncIterable<Uint8Array>,
  }
}

function drawCover({ doc, root, ...paper }: Paper, ctx: Ctx, { kind, profile, look, dateFrom, dateTo }: ReportRequest) {
  doc.addPage()
  const { width, height } = doc.page
  const [background, text] = [look.primaryColor, textOn(look.primaryColor)]
  const bandEnd = height * 0.62
  paper.decorate(() => {
    doc.rect(0, 0, width, bandEnd).fill(background)
    doc.rect(0, bandEnd, width, 6).fill(look.accentColor)
  })
  const { logo, name } = look
  if (logo) {
    const box = { x: margin, y: margin, width: 150, height: 84 }
    // On white, because nobody knows what a logo's edges are.
    paper.decorate(() => doc.roundedRect(box.x, box.y, box.width, box.height, 8).fill('#ffffff'))
    const draw = () =>
      doc.image(Buffer.from(logo), box.x + 12, box.y + 12, {
        fit: [box.width - 24, box.height - 24],
        align: 'center',
        valign: 'center',
      })
    const bbox: [number, number, number, number] = [box.x, box.y, box.x + box.width, box.y + box.height]
    paper.tag(root, 'Figure', draw, { alt: `Logo of ${name ?? 'the agency'}`, bbox })
  }
  const marketplace = marketplaceById(profile.marketplaceId)?.key ?? profile.countryCode
  const title = reportKinds[kind].label
  const lines = paper.wrap(title, width - 2 * margin, { size: 34, weight: 600 })
  let y = bandEnd - 120 - lines.length * 42
  const bright = { color: text }
  for (const one of lines) {
    paper.tag(root, 'H1', () => paper.line(one, margin, y, { size: 34, weight: 600, ...bright }))
    y += 42
  }
  const say = (what: string, size: number) => {
    paper.tag(root, 'P', () => paper.line(what, margin, y, { size, ...bright, width: width - 2 * margin }))
    y += size * 1.6
  }
  say(`${profile.merchantName} · ${marketplace}`, 17)
  say(`${dayText(dateFrom, 'long')} to ${dayText(dateTo, 'long')}`, 13)
  y = bandEnd + 34
  const small = (what: string) => {
    paper.tag(root, 'P', () => paper.line(what, margin, y, { size: 10.5, width: width - 2 * margin }))
    y += 18
  }
  if (name) small(`Prepared by ${name}`)
  small(`Made on ${dayText(ctx.clock.now().toISOString().slice(0, 10), 'long')}`)
  small(`Amounts in ${profile.currency}; days are those of the marketplace (${profile.timezone}).`)
}

function drawSummary(paper: Paper, { look, profile, asins }: ReportRequest, content: Content): void {
  const { doc, root } = paper
  const { cards, sentences, compared } = content
  const heading = textOnPaper(look.primaryColor)
  let y = beginPage(paper, look.primaryColor)
  const width = doc.page.width - 2 * margin
  const h2 = (text: string) => {
    paper.tag(root, 'H2', () => paper.line(text, margin, y, { size: 16, weight: 600, color: heading, width }))
    y += 28
  }
  const p = (text: string, color?: string) => {
    let end = y
    paper.tag(root, 'P', () => {
      end = paper.paragraph(text, margin, y, width, { size: 10, ...(color && { color }) })
    })
    y = end + 4
  }
  h2('At a glance')
  if (asins) p('These are the figures of the whole account; the table has those of the chosen products.', muted)
  p(
    compared
      ? `Changes compare ${dayText(compared.from)} to ${dayText(compared.to)} with ${dayText(compared.previousFrom)} to ${dayText(compared.previousTo)}.`
      : 'There is nothing to compare these days with.',
    muted,
  )
  y = drawCards(paper, cards, y + 4) + 14
  if (sentences.length) {
    h2('Why ACOS changed')
    for (const sentence of sentences) p(sentence)
    y += 8
  }
  y = drawPerformance(paper, { look, profile, content, y, heading })
  const moving = cards.freshness.movingFrom
  p(
    moving !== null && moving <= cards.dateTo
      ? `Days from ${dayText(moving > cards.dateFrom ? moving : cards.dateFrom)} on may still change, because orders still arrive for their clicks. They are shaded and dashed above.`
      : 'All days of this report are final.',
    muted,
  )
}

function drawCards(paper: Paper, { cards, currency }: Content['cards'], start: number): number {
  const { doc, root } = paper
  const gap = 10
  const width = (doc.page.width - 2 * margin - 2 * gap) / 3
  const height = 64
  cards.forEach((card, index) => {
    const x = margin + (index % 3) * (width + gap)
    const y = start + Math.floor(index / 3) * (height + gap)
    const { label, better } = textOfCard(card.metric)
    const unit = card.unit.toLowerCase() as Lowercase<typeof card.unit>
    paper.decorate(() => doc.roundedRect(x, y, width, height, 6).lineWidth(0.8).stroke(hairline))
    paper.tag(root, 'P', () => {
      const inner = { width: width - 20 }
      paper.line(label, x + 10, y + 8, { size: 9, color: muted, ...inner })
      paper.line(valueText(card.value, unit, currency), x + 10, y + 21, { size: 16, weight: 600, ...inner })
      const { text, color } = changeOf(card.compared, card.previous, better)
      paper.line(card.value === null ? (card.unknownBecause ?? '') : text, x + 10, y + 46, {
        size: 8.5,
        color,
        ...inner,
      })
    })
  })
  return start + Math.ceil(cards.length / 3) * (height + gap)
}

// As on Home: a sign and words, so that color is never alone.
function changeOf(now: number | null, before: number | null, better: 'up' | 'down' | 'neither') {
  if (now === null || before === null || before === 0) return { text: 'No comparison', color: muted }
  const percent = Math.round(((now - before) / Math.abs(before)) * 1000) / 10
  const way = percent > 0 ? 'up' : percent < 0 ? 'down' : 'same'
  const words = { up: 'more than before', down: 'less than before', same: 'the same as before' }[way]
  const color = way === 'same' || better === 'neither' ? muted : way === better ? '#1d6b3a' : '#a3261d'
  return { text: way === 'same' ? words : `${percentText(Math.abs(percent), 1)} ${words}`, color }
}

interface PerformancePlace extends Pick<ReportRequest, 'look' | 'profile'> {
  content: Content
  y: number
  heading: string
}

function drawPerformance(paper: Paper, { look, profile, content, y: start, heading }: PerformancePlace): number {
  const { doc, root } = paper
  const { performance, granularity, cards } = content
  const height = 190
  const fits = start + height + 70 < doc.page.height - margin
  const y = fits ? start : beginPage(paper, look.primaryColor)
  const width = doc.page.width - 2 * margin
  const step = { DAY: 'day', WEEK: 'week', MONTH: 'month' }[granularity]
  const title = `Ad spend and ad sales by ${step}`
  paper.tag(root, 'H2', () => paper.line(title, margin, y, { size: 16, weight: 600, color: heading, width }))
  const { points } = performance
  const { currency } = profile
  const moving = cards.freshness.movingFrom
  const movingAt = moving === null ? -1 : points.findIndex(point => point.date >= moving)
  const highest = points.reduce(
    (most, point) => (point.cost > most.cost ? point : most),
    points[0] ?? { cost: 0, date: '' },
  )
  const total = (name: 'cost' | 'sales') => points.reduce((sum, point) => sum + point[name], 0)
  lineChart(paper, root, {
    x: margin,
    y: y + 26,
    width,
    height,
    currency,
    labels: points.map(point => shortDay(point.date)),
    movingFrom: movingAt < 0 ? null : movingAt,
    series: [
      { label: 'Ad spend', color: look.primaryColor, values: points.map(point => point.cost) },
      { label: 'Ad sales', color: look.accentColor, values: points.map(point => point.sales) },
    ],
    alt: `${title}, ${dayText(cards.dateFrom)} to ${dayText(cards.dateTo)}. Ad spend was ${figureText(total('cost'), 'money', currency)} in all and highest ${granularity === 'DAY' ? 'on' : `in the ${step} from`} ${highest.date && dayText(highest.date)} with ${figureText(highest.cost, 'money', currency)}. Ad sales were ${figureText(total('sales'), 'money', currency)}.`,
  })
  return y + 26 + height + 10
}

function drawPart(paper: Paper, { look, profile }: ReportRequest, part: Part): void {
  const { doc, root } = paper
  const heading = textOnPaper(look.primaryColor)
  const width = doc.page.width - 2 * margin
  let y = beginPage(paper, look.primaryColor)
  const { missing = [] } = part
  paper.tag(root, 'H2', () => paper.line(part.title, margin, y, { size: 16, weight: 600, color: heading, width }))
  y += 26
  const isCut = part.rows.length < part.count
  const count = `${plainText(part.rows.length)} of ${plainText(part.count)} ${part.what}`
  const note = isCut
    ? `The ${count} with the most ad spend. The Excel and CSV formats of this report have all of them.`
    : part.count
      ? `All ${plainText(part.count)} ${part.what}, most ad spend first.`
      : `There are no ${part.what} in these days.`
  paper.tag(root, 'P', () => {
    const lacks = missing.length ? ` Not among the account’s products in these days: ${missing.join(', ')}.` : ''
    y = paper.paragraph(note + lacks, margin, y, width, { size: 9.5, color: muted })
  })
  if (!part.rows.length) return
  y += 8
  barChart(paper, root, {
    x: margin,
    y,
    width,
    currency: profile.currency,
    rows: part.bars,
    series: [
      { label: 'Ad spend', color: look.primaryColor },
      { label: 'Ad sales', color: look.accentColor },
    ],
    alt: `The ${part.bars.length} ${part.what} with the most ad spend, each with ad spend and ad sales; the table below has the same figures.`,
  })
  y += barChartHeight(part.bars.length) + 14
  const table = { x: margin, width, columns: part.columns, rows: part.rows, total: part.total, color: heading }
  drawTable(paper, root, y, doc.page.height - margin - 24, table, () => beginPage(paper, look.primaryColor))
}

/** A page with a stripe at its top; returns where its content begins. */
function beginPage({ doc, decorate }: Paper, color: string): number {
  doc.addPage()
  decorate(() => doc.rect(0, 0, doc.page.width, 10).fill(color))
  return margin
}

function drawFooters({ doc, line, decorate }: Paper, { kind, profile, look }: ReportRequest): void {
  const { start, count } = doc.bufferedPageRange()
  for (let page = start + 1; page < start + count; page++) {
    doc.switchToPage(page)
    const y = doc.page.height - 34
    const width = doc.page.width - 2 * margin
    decorate(() => {
      const text = look.footer || `${reportKinds[kind].label} · ${profile.merchantName}`
      line(text, margin, y, { size: 8, color: muted, width: width - 80 })
      line(`Page ${page + 1 - start} of ${count}`, margin, y, { size: 8, color: muted, width, align: 'right' })
    })
  }
}
