import iconv from 'iconv-lite'
import { describe, expect, it } from 'vitest'
import { decodeText, parseAmount, tableRows } from './decode.ts'
import { salesAndTraffic } from './wire.ts'

const US = 'ATVPDKIKX0DER'
const DE = 'A1PA6795UKMFR9'
const JP = 'A1VC38T7YXB528'

const listings = (text: string, marketplace = US) => tableRows.listings(Buffer.from(text), marketplace)
const inventory = (text: string) => tableRows.inventory(Buffer.from(text), US)

describe('the text of a file', () => {
  it.each([
    ['UTF-8', 'utf8', US, 'Größe 日本'],
    ['Windows-1252', 'win1252', DE, 'Größe – 5 €'],
    ['Shift_JIS', 'Shift_JIS', JP, '商品名 出品者SKU'],
  ])('in %s is read as it was written', (_, charset, marketplace, text) => {
    expect(decodeText(iconv.encode(text, charset), marketplace)).toBe(text)
  })
})

describe('a table', () => {
  it('keeps quotes, short rows and a byte order mark from doing harm', () => {
    const text = '\ufeffitem-name\tseller-sku\tprice\r\n"Best" mug 5" tall\tM-1\t9.99\r\n"half open\tM-2\r\n\r\n'
    expect(listings(text)).toMatchObject([
      { title: '"Best" mug 5" tall', sku: 'M-1', priceMicros: 9_990_000 },
      { title: '"half open', sku: 'M-2', priceMicros: null },
    ])
  })

  it('is read under our headers where they come in another language', () => {
    const [row] = listings(
      '商品名\t出品者SKU\t価格\t数量\tフルフィルメント・チャンネル\tasin1\tステータス\n石鹸\tS-1\t1,980\t4\tAMAZON_JP\tB01\tActive\n',
      JP,
    )
    expect(row).toEqual({
      sku: 'S-1',
      asin: 'B01',
      title: '石鹸',
      imageUrl: null,
      priceMicros: 1_980_000_000,
      quantity: 4,
      fulfilledByAmazon: true,
      status: 'Active',
    })
  })
})

it.each([
  ['19.99', 19_990_000],
  ['1,234.56', 1_234_560_000],
  ['1.234,56', 1_234_560_000],
  ['12,5', 12_500_000],
  ['1,980', 1_980_000_000],
  ['', null],
  ['n/a', null],
  [undefined, null],
])('the amount %s is %s micros', (text, micros) => {
  expect(parseAmount(text)).toBe(micros)
})

describe('a row', () => {
  it('of listings finds the asin in the product id of older files', () => {
    const [row] = listings(
      'seller-sku\tasin1\tproduct-id-type\tproduct-id\tfulfillment-channel\nA\t\t1\tB00X\tDEFAULT\n',
    )
    expect(row).toMatchObject({ asin: 'B00X', fulfilledByAmazon: false, quantity: null })
  })

  it('of inventory counts every place where stock may be', () => {
    const header =
      'sku\tfnsku\tasin\tproduct-name\tcondition\tyour-price\tafn-fulfillable-quantity\tafn-unsellable-quantity\tafn-reserved-quantity\tafn-total-quantity\tafn-inbound-working-quantity\tafn-inbound-shipped-quantity\tafn-inbound-receiving-quantity'
    const [row] = inventory(`${header}\nS\tX\tB01\tSoap\tNew\t9.50\t10\t1\t2\t19\t3\t2\t1\n`)
    expect(row).toEqual({
      sku: 'S',
      asin: 'B01',
      fnsku: 'X',
      title: 'Soap',
      condition: 'New',
      priceMicros: 9_500_000,
      available: 10,
      unfulfillable: 1,
      reserved: 2,
      inboundWorking: 3,
      inboundShipped: 2,
      inboundReceiving: 1,
      total: 19,
    })
  })

  it('without a sku is nobody’s', () => {
    expect(listings('item-name\nSoap\n')).toEqual([])
    expect(inventory('asin\nB01\n')).toEqual([])
  })
})

it('sales and traffic are split by day and by product', () => {
  const traffic = { pageViews: 1658, sessions: 1000, buyBoxPercentage: 10.54 }
  const read = salesAndTraffic.parse({
    salesAndTrafficByDate: [
      {
        date: '2021-06-11',
        salesByDate: {
          orderedProductSales: { amount: 238.44, currencyCode: 'USD' },
          unitsOrdered: 23,
          totalOrderItems: 20,
          unitsRefunded: 1,
        },
        trafficByDate: traffic,
      },
    ],
    salesAndTrafficByAsin: [
      {
        parentAsin: 'P',
        childAsin: 'C',
        sku: 'S',
        salesByAsin: { orderedProductSales: { amount: 0.5, currencyCode: 'USD' }, unitsOrdered: 1 },
        trafficByAsin: traffic,
      },
    ],
  })
  expect(read.byDay).toEqual([
    {
      date: '2021-06-11',
      salesMicros: 238_440_000,
      currency: 'USD',
      units: 23,
      orderItems: 20,
      refundedUnits: 1,
      pageViews: 1658,
      sessions: 1000,
      buyBoxPercent: 10.54,
    },
  ])
  expect(read.byAsin).toMatchObject([{ parentAsin: 'P', asin: 'C', sku: 'S', salesMicros: 500_000 }])
})
