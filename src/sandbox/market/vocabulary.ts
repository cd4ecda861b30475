import { marketplaceByAmazonId } from '#shared/marketplaces.ts'

/** What shoppers call the products of a leaf category, in one language. */
export interface CategoryWords {
  /** The marketplace's browse node. */
  id: string
  name: string
  /** From the root, joined by ` > `. */
  path: string
  /** Names of the thing itself. */
  heads: readonly string[]
  /** What makes one product differ from the next; products carry some of them in their titles. */
  features: readonly string[]
  /** What or whom it is for. */
  uses: readonly string[]
  /** Words that make a search worthless to sellers of the product. */
  irrelevant: readonly string[]
  /** Typical price in whole units of the marketplace's currency. */
  price: number
  /** Ids of categories bought together with it. */
  complements: readonly string[]
}

/** How a language joins the words of a search. */
export interface Language {
  key: 'en' | 'de' | 'ja' | 'es'
  categories: readonly CategoryWords[]
  rivals: readonly string[]
  /** What people add to any search. */
  extras: readonly string[]
  feature(feature: string, head: string): string
  use(head: string, use: string): string
}

// biome-ignore format: a category a paragraph
const english: Language = {
  key: 'en',
  extras: ['best', 'cheap', 'gift', 'on sale'],
  feature: (feature, head) => `${feature} ${head}`,
  use: (head, use) => `${head} for ${use}`,
  rivals: ['oxara', 'kitchello', 'brightpeak', 'homefolk', 'nordcraft', 'lumivo', 'trailmax', 'purewell'],
  categories: [
    { id: '289742', name: 'Garlic Presses', path: 'Home & Kitchen > Kitchen & Dining > Kitchen Utensils > Garlic Presses', price: 18,
      heads: ['garlic press', 'garlic mincer'], features: ['stainless steel', 'heavy duty', 'professional', 'easy clean', 'dishwasher safe', 'rocker', 'large'],
      uses: ['kitchen', 'ginger', 'arthritic hands', 'camping'], irrelevant: ['electric', 'replacement part', 'vintage', 'toy'], complements: ['289754', '3741181'] },
    { id: '289754', name: 'Cutting Boards', path: 'Home & Kitchen > Kitchen & Dining > Cutlery > Cutting Boards', price: 29,
      heads: ['cutting board', 'chopping board'], features: ['bamboo', 'wood', 'large', 'with juice groove', 'non slip', 'reversible', 'extra thick'],
      uses: ['meat', 'bread', 'small kitchens', 'vegetables'], irrelevant: ['glass', 'oil', 'laser engraved', 'paper'], complements: ['289742', '289857'] },
    { id: '289857', name: 'Kitchen Knife Sets', path: 'Home & Kitchen > Kitchen & Dining > Cutlery > Knife Sets', price: 64,
      heads: ['knife set', 'kitchen knives'], features: ['japanese', 'with block', 'stainless steel', 'sharp', 'professional', 'damascus', '15 piece'],
      uses: ['chefs', 'beginners', 'wedding gift', 'steak'], irrelevant: ['plastic', 'throwing', 'pocket', 'sharpening service'], complements: ['289754'] },
    { id: '3741181', name: 'Water Bottles', path: 'Sports & Outdoors > Accessories > Water Bottles', price: 24,
      heads: ['water bottle', 'insulated bottle'], features: ['stainless steel', 'leak proof', '32 oz', 'with straw', 'wide mouth', 'kids', 'vacuum'],
      uses: ['school', 'gym', 'hiking', 'travel'], irrelevant: ['disposable', 'label maker', 'glass baby', 'cleaning tablets'], complements: ['3422251', '3400371'] },
    { id: '3422251', name: 'Yoga Mats', path: 'Sports & Outdoors > Exercise & Fitness > Yoga > Mats', price: 35,
      heads: ['yoga mat', 'exercise mat'], features: ['extra thick', 'non slip', 'cork', 'with strap', 'eco friendly', 'wide', 'foldable'],
      uses: ['women', 'home gym', 'pilates', 'beginners'], irrelevant: ['cleaner', 'wall rack', 'kids puzzle', 'heated'], complements: ['3741181'] },
    { id: '3400371', name: 'Camping Lanterns', path: 'Sports & Outdoors > Camping & Hiking > Lights & Lanterns', price: 31,
      heads: ['camping lantern', 'led lantern'], features: ['rechargeable', 'solar', 'bright', 'battery powered', 'collapsible', 'waterproof', 'dimmable'],
      uses: ['power outages', 'tents', 'hurricane', 'fishing'], irrelevant: ['paper', 'festival', 'christmas', 'floating'], complements: ['3741181'] },
    { id: '3744291', name: 'Desk Lamps', path: 'Tools & Home Improvement > Lighting > Desk Lamps', price: 39,
      heads: ['desk lamp', 'reading lamp'], features: ['led', 'dimmable', 'with usb port', 'wireless charging', 'clamp', 'adjustable', 'modern'],
      uses: ['home office', 'college dorm', 'crafts', 'bedside'], irrelevant: ['lava', 'bulb only', 'antique', 'shade'], complements: ['1069242'] },
    { id: '1069242', name: 'Desk Organizers', path: 'Office Products > Desk Accessories > Desk Organizers', price: 26,
      heads: ['desk organizer', 'desk caddy'], features: ['mesh', 'wood', 'with drawers', 'rotating', '5 tier', 'black', 'acrylic'],
      uses: ['office', 'teachers', 'pens', 'makeup'], irrelevant: ['free printable', 'app', 'garage', 'shoe'], complements: ['3744291'] },
    { id: '2975312', name: 'Dog Harnesses', path: 'Pet Supplies > Dogs > Collars, Harnesses & Leashes > Harnesses', price: 27,
      heads: ['dog harness', 'dog vest harness'], features: ['no pull', 'reflective', 'step in', 'escape proof', 'tactical', 'padded', 'small'],
      uses: ['large dogs', 'puppies', 'running', 'car'], irrelevant: ['cat', 'sled racing', 'costume', 'sewing pattern'], complements: ['2975446'] },
    { id: '2975446', name: 'Dog Beds', path: 'Pet Supplies > Dogs > Beds & Furniture > Beds', price: 52,
      heads: ['dog bed', 'pet bed'], features: ['orthopedic', 'washable', 'calming', 'waterproof', 'memory foam', 'extra large', 'bolster'],
      uses: ['large dogs', 'crate', 'senior dogs', 'couch'], irrelevant: ['human size', 'doll', 'frame plans', 'cat tree'], complements: ['2975312'] },
  ],
}

// biome-ignore format: a category a paragraph
const japanese: Language = {
  key: 'ja',
  extras: ['おすすめ', '人気', '安い', 'セール'],
  feature: (feature, head) => `${head} ${feature}`,
  use: (head, use) => `${head} ${use}`,
  rivals: ['キッチン堂', 'アルプ', 'ルミエ', '暮らし工房', 'ノルド', 'トレイル'],
  categories: [
    { id: '13938481', name: '水筒', path: 'ホーム＆キッチン > 水筒・マグ > 水筒', price: 2480,
      heads: ['水筒', 'ステンレスボトル'], features: ['500ml', '1リットル', '直飲み', '保冷 保温', '軽量', 'ワンタッチ'],
      uses: ['子供', '大人', '登山', '通学'], irrelevant: ['使い捨て', 'パッキン', 'シール', '洗浄 錠剤'], complements: ['2127212', '15314731'] },
    { id: '2127212', name: '弁当箱', path: 'ホーム＆キッチン > 弁当箱・水筒 > 弁当箱', price: 1980,
      heads: ['弁当箱', 'ランチボックス'], features: ['2段', '保温', 'レンジ対応', '大容量', 'スリム', '漏れない'],
      uses: ['男子', '女子', '小学生', '仕切り'], irrelevant: ['使い捨て', 'レシピ 本', '紙', '駅弁'], complements: ['13938481'] },
    { id: '16428011', name: '包丁', path: 'ホーム＆キッチン > 調理器具 > 包丁', price: 5980,
      heads: ['包丁', '三徳包丁'], features: ['ステンレス', 'ダマスカス', '日本製', '軽い', '左利き', 'セット'],
      uses: ['初心者', 'プロ', 'ギフト', '魚'], irrelevant: ['おもちゃ', '研ぎ サービス', 'プラスチック', '収納 家具'], complements: ['16428081'] },
    { id: '16428081', name: 'まな板', path: 'ホーム＆キッチン > 調理器具 > まな板', price: 2780,
      heads: ['まな板', 'カッティングボード'], features: ['木製', 'ひのき', '抗菌', '薄い', '食洗機対応', 'スタンド付き'],
      uses: ['一人暮らし', 'パン', '肉', 'アウトドア'], irrelevant: ['ガラス', 'オイル', '削り直し', '紙'], complements: ['16428011'] },
    { id: '15314731', name: 'ランタン', path: 'スポーツ＆アウトドア > キャンプ > ランタン', price: 3480,
      heads: ['ランタン', 'ledライト キャンプ'], features: ['充電式', 'ソーラー', '明るい', '防水', '暖色', '折りたたみ'],
      uses: ['キャンプ', '防災', '停電', '車中泊'], irrelevant: ['紙', '祭り', 'クリスマス', '塗り絵'], complements: ['13938481'] },
    { id: '2378086', name: 'デスクライト', path: 'ホーム＆キッチン > 照明 > デスクライト', price: 3980,
      heads: ['デスクライト', '卓上ライト'], features: ['led', '調光', 'クランプ', 'usb', 'コードレス', '目に優しい'],
      uses: ['勉強', '子供', 'オフィス', '寝室'], irrelevant: ['電球 のみ', 'アンティーク', '傘', '修理'], complements: ['89083051'] },
    { id: '89083051', name: 'ペンスタンド', path: '文房具・オフィス用品 > 机上収納 > ペンスタンド', price: 1680,
      heads: ['ペンスタンド', 'ペン立て'], features: ['木製', '回転', '大容量', '引き出し付き', '黒', '白'],
      uses: ['オフィス', '小学生', 'メイクブラシ', '机'], irrelevant: ['無料', 'アプリ', '靴', '100均'], complements: ['2378086'] },
    { id: '2155275', name: 'ヨガマット', path: 'スポーツ＆アウトドア > フィットネス > ヨガマット', price: 2980,
      heads: ['ヨガマット', 'トレーニングマット'], features: ['10mm', '滑らない', '折りたたみ', '幅広', '天然ゴム', 'ケース付き'],
      uses: ['ピラティス', '自宅', '初心者', '防音'], irrelevant: ['クリーナー', 'パズル', 'ホット', '壁掛け'], complements: ['13938481'] },
  ],
}

// biome-ignore format: a category a paragraph
const german: Language = {
  key: 'de',
  extras: ['günstig', 'test', 'kaufen', 'angebot'],
  feature: (feature, head) => `${head} ${feature}`,
  use: (head, use) => `${head} für ${use}`,
  rivals: ['küchenwerk', 'bergfuchs', 'lichtmeister', 'hausfreund', 'nordholz', 'alpenkraft', 'waldmann', 'feinwerk'],
  categories: [
    { id: '3311941', name: 'Knoblauchpressen', path: 'Küche, Haushalt & Wohnen > Küchenhelfer > Knoblauchpressen', price: 17,
      heads: ['knoblauchpresse', 'knoblauchschneider'], features: ['edelstahl', 'groß', 'spülmaschinenfest', 'profi', 'mit schäler', 'leicht zu reinigen'],
      uses: ['ingwer', 'linkshänder', 'camping', 'senioren'], irrelevant: ['elektrisch', 'ersatzteil', 'antik', 'spielzeug'], complements: ['3312051'] },
    { id: '3312051', name: 'Schneidebretter', path: 'Küche, Haushalt & Wohnen > Messer & Zubehör > Schneidebretter', price: 28,
      heads: ['schneidebrett', 'frühstücksbrettchen'], features: ['holz', 'bambus', 'mit saftrille', 'rutschfest', 'groß', 'massiv'],
      uses: ['brot', 'fleisch', 'gemüse', 'kinder'], irrelevant: ['glas', 'öl', 'gravur vorlage', 'papier'], complements: ['3311941', '3312201'] },
    { id: '3312201', name: 'Messersets', path: 'Küche, Haushalt & Wohnen > Messer & Zubehör > Messersets', price: 69,
      heads: ['messerset', 'küchenmesser'], features: ['damast', 'mit block', 'japanisch', 'scharf', 'profi', 'rostfrei'],
      uses: ['köche', 'anfänger', 'geschenk', 'steak'], irrelevant: ['plastik', 'wurfmesser', 'schleifdienst', 'kinder'], complements: ['3312051'] },
    { id: '197753', name: 'Trinkflaschen', path: 'Sport & Freizeit > Zubehör > Trinkflaschen', price: 23,
      heads: ['trinkflasche', 'thermoflasche'], features: ['edelstahl', 'auslaufsicher', '1 liter', 'mit strohhalm', 'isoliert', 'bpa frei'],
      uses: ['kinder', 'schule', 'fahrrad', 'wandern'], irrelevant: ['einweg', 'etiketten', 'baby glas', 'reinigungstabletten'], complements: ['197832'] },
    { id: '197832', name: 'Yogamatten', path: 'Sport & Freizeit > Fitness > Yoga > Matten', price: 34,
      heads: ['yogamatte', 'gymnastikmatte'], features: ['rutschfest', 'extra dick', 'kork', 'naturkautschuk', 'breit', 'mit tragegurt'],
      uses: ['pilates', 'zuhause', 'damen', 'reisen'], irrelevant: ['reiniger', 'wandhalterung', 'puzzle', 'beheizt'], complements: ['197753'] },
    { id: '213083', name: 'Schreibtischlampen', path: 'Beleuchtung > Innenbeleuchtung > Schreibtischlampen', price: 38,
      heads: ['schreibtischlampe', 'leselampe'], features: ['led', 'dimmbar', 'mit klemme', 'usb', 'schwarz', 'kabellos'],
      uses: ['büro', 'kinderzimmer', 'nachttisch', 'nähen'], irrelevant: ['lava', 'nur birne', 'antik', 'schirm'], complements: ['202995'] },
    { id: '202995', name: 'Schreibtischorganizer', path: 'Bürobedarf > Schreibtischzubehör > Organizer', price: 25,
      heads: ['schreibtisch organizer', 'stiftehalter'], features: ['holz', 'metall', 'mit schubladen', 'drehbar', 'schwarz', 'weiß'],
      uses: ['büro', 'lehrer', 'stifte', 'kosmetik'], irrelevant: ['kostenlos', 'app', 'garage', 'schuhe'], complements: ['213083'] },
    { id: '470812', name: 'Hundegeschirre', path: 'Haustier > Hunde > Geschirre', price: 26,
      heads: ['hundegeschirr', 'geschirr hund'], features: ['anti zug', 'reflektierend', 'ausbruchsicher', 'gepolstert', 'verstellbar', 'klein'],
      uses: ['große hunde', 'welpen', 'auto', 'joggen'], irrelevant: ['katze', 'schlitten', 'kostüm', 'schnittmuster'], complements: ['197753'] },
  ],
}

// biome-ignore format: a category a paragraph
const spanish: Language = {
  key: 'es',
  extras: ['barato', 'mejor', 'oferta', 'regalo'],
  feature: (feature, head) => `${head} ${feature}`,
  use: (head, use) => `${head} para ${use}`,
  rivals: ['cocinova', 'casalinda', 'luzplus', 'rutamax'],
  categories: [
    { id: '9482661', name: 'Termos y botellas', path: 'Deportes y Aire Libre > Accesorios > Botellas', price: 429,
      heads: ['botella de agua', 'termo'], features: ['acero inoxidable', 'con popote', '1 litro', 'sin fugas', 'motivacional'],
      uses: ['niños', 'gimnasio', 'escuela', 'oficina'], irrelevant: ['desechable', 'etiquetas', 'vidrio bebé'], complements: ['9482701'] },
    { id: '9482701', name: 'Tapetes de yoga', path: 'Deportes y Aire Libre > Fitness > Yoga', price: 599,
      heads: ['tapete de yoga', 'tapete de ejercicio'], features: ['antiderrapante', 'grueso', 'de corcho', 'con correa', 'ancho'],
      uses: ['pilates', 'casa', 'mujer', 'principiantes'], irrelevant: ['limpiador', 'rompecabezas', 'usado'], complements: ['9482661'] },
    { id: '9482713', name: 'Lámparas de escritorio', path: 'Hogar y Cocina > Iluminación > Lámparas de escritorio', price: 649,
      heads: ['lámpara de escritorio', 'lámpara de lectura'], features: ['led', 'con usb', 'regulable', 'de pinza', 'inalámbrica'],
      uses: ['oficina', 'estudiantes', 'buró', 'manualidades'], irrelevant: ['foco suelto', 'antigua', 'de lava'], complements: ['9482725'] },
    { id: '9482725', name: 'Camas para perro', path: 'Mascotas > Perros > Camas', price: 799,
      heads: ['cama para perro', 'cama para mascota'], features: ['ortopédica', 'lavable', 'grande', 'impermeable', 'suave'],
      uses: ['perros grandes', 'cachorros', 'gatos', 'viaje'], irrelevant: ['para muñecas', 'planos', 'matrimonial'], complements: ['9482661'] },
  ],
}

const byCountry: Record<string, Language> = { DE: german, JP: japanese, MX: spanish, ES: spanish }

/** The language shoppers search in; English by default. */
export function languageOf(marketplaceId: string): Language {
  return byCountry[marketplaceByAmazonId(marketplaceId)?.key ?? ''] ?? english
}
