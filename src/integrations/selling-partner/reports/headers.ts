/**
 * The canonical header of a column that some marketplaces name in their own language. Only the columns that are read
 * stand here. Not official: headers as sellers have published them; an unknown one keeps its own name.
 */
const localized: Record<string, string> = {
  artikelbezeichnung: 'item-name',
  artikelbeschreibung: 'item-description',
  'händler-sku': 'seller-sku',
  preis: 'price',
  menge: 'quantity',
  'versand-kanal': 'fulfillment-channel',
  'asin 1': 'asin1',
  商品名: 'item-name',
  出品者sku: 'seller-sku',
  価格: 'price',
  数量: 'quantity',
  商品画像url: 'image-url',
  'フルフィルメント・チャンネル': 'fulfillment-channel',
  ステータス: 'status',
  'asin-1': 'asin1',
}

/** Header names in one spelling: small letters, hyphens, our language where the translation is known. */
export const canonicalHeader = (header: string): string => {
  const name = header.trim().toLowerCase()
  return localized[name] ?? name.replaceAll(/[\s_]+/g, '-')
}
