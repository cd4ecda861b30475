import { expect, test } from 'vitest'
import { parseDailyFile } from './wire.ts'

const currencies = 'USD JPY CZK DKK GBP HUF PLN RON SEK CHF ISK NOK TRY AUD BRL CAD CNY HKD IDR ILS INR'.split(' ')
const rows = (quote = "'") =>
  currencies.map((c, i) => `<Cube currency=${quote}${c}${quote} rate='${1 + i / 8}'/>`).join('')
function file(cube: string) {
  return `<?xml version="1.0" encoding="UTF-8"?><gesmes:Envelope xmlns:gesmes="http://www.gesmes.org/xml/2002-08-01"
    xmlns="http://www.ecb.int/vocabulary/2002-08-01/eurofxref"><gesmes:subject>Reference rates</gesmes:subject>
    <gesmes:Sender><gesmes:name>European Central Bank</gesmes:name></gesmes:Sender><Cube>${cube}</Cube></gesmes:Envelope>`
}
const day = (content: string, time = '2026-10-01') => `<Cube time='${time}'>${content}</Cube>`

test.each(["'", '"'])('the daily file is read, its attributes quoted by %s', quote => {
  const { day: of, perEuro } = parseDailyFile(file(day(rows(quote))))
  expect([of, perEuro.USD, perEuro.JPY, Object.keys(perEuro).length]).toEqual(['2026-10-01', 1, 1.125, 21])
})

test.each([
  ['a page of maintenance', '<html><body>Back soon</body></html>'],
  ['a file that broke off', file(day(rows())).slice(0, 500)],
  ['a table with half the currencies', file(day(rows().slice(0, 300)))],
  ['two days', file(day(rows()) + day(rows(), '2026-09-30'))],
  ['no day', file(`<Cube>${rows()}</Cube>`)],
  ['a day that does not exist', file(day(rows(), '2026-02-30'))],
  ['a currency twice', file(day(`${rows()}<Cube currency='USD' rate='2'/>`))],
  ['no dollar', file(day(rows().replace('USD', 'XXX')))],
  ['a rate of zero', file(day(rows().replace("rate='1'", "rate='0'")))],
  ['a negative rate', file(day(rows().replace("rate='1'", "rate='-1'")))],
  ['a rate that is no number', file(day(rows().replace("rate='1'", "rate='N/A'")))],
  ['nothing', ''],
])('%s is no daily file', (_what, text) => {
  expect(() => parseDailyFile(text)).toThrow()
})
