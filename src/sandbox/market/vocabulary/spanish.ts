import type { Language } from './category-words.ts'

// biome-ignore format: a category a paragraph
export const spanish: Language = {
  key: 'es',
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
