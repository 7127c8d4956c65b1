import { describe, expect, test } from 'vitest'
import { isFilePath } from '../../src/services/media.ts'
import { dispositionName, portableTitleOfFile, safeFileName, titleOfFile } from '../../src/site/file-name.ts'

test.each([
  ['Sea View.png', 'Sea-View.png'],
  ['naïve café.png', 'naive-cafe.png'],
  ['Łódź Ærø Þór ß.png', 'Lodz-Aero-Thor-s.png'],
  ['cafe\u0301.png', 'cafe.png'],
  ['東京.png', '東京.png'],
  ['фото отпуск.png', 'фото-отпуск.png'],
  ['Йод.png', 'Йод.png'],
  ['हिन्दी.png', 'हिन्दी.png'],
  ['ภาษาน้ำ.png', 'ภาษาน้ำ.png'],
  ['IMG_1234 (2).png', 'IMG_1234-2.png'],
  ['A & B.png', 'A-B.png'],
  ['boat 🚢.png', 'boat-🚢.png'],
  ['../../etc/passwd', 'passwd.png'],
  ['C:\\photos\\pier.png', 'pier.png'],
  ['a／b.png', 'a-b.png'],
  ['photo\u202egpj.exe.png', 'photogpj.exe_.png'],
  ['shell.php.png', 'shell.php_.png'],
  ['CON.png', 'CON_.png'],
  ['nul.tar.png', 'nul_.tar.png'],
  ['COM¹.png', 'COM¹_.png'],
  ['a.ｐｈｐ.png', 'a.ｐｈｐ_.png'],
  ['a\u0000b\r\nc.png', 'a-b-c.png'],
  ['\u0301\u0302.png', 'file.png'],
  ['....png', 'file.png'],
  ['.png', 'file.png'],
  ['', 'file.png'],
])('a file that is sent as %j is stored as %j', (given, name) => {
  expect(safeFileName(given, 'png')).toBe(name)
  expect(isFilePath(`2024/01/${name}`)).toBe(true)
  expect(safeFileName(name, 'png')).toBe(name)
})

test.each(['x', '東', '🚢', 'ក្រ', 'e\u0301'])(
  'a long name of %j is cut between characters and fits with a number and a size',
  (letter) => {
    const name = safeFileName(`${letter.repeat(400)}.png`, 'png')
    expect(name.isWellFormed()).toBe(true)
    expect(isFilePath(`${name.slice(0, -4)}-1234-1536x1536.png`)).toBe(true)
  },
)

test.each([
  ['日本.png', '日本'],
  ['naïve café.png', 'naïve café'],
  ['IMG_1234 (2).png', 'IMG_1234 (2)'],
  ['say %22hi%22.png', 'say "hi"'],
  ['cafe\u0301.png', 'café'],
  ['photo\u202egpj\u061c\u2028.png', 'photogpj'],
  ['a\ud800b.png', 'a\ufffdb'],
  ['C:\\photos\\pier.v2.png', 'pier.v2'],
  ['.png', ''],
])('the title of a form that sends %j is %j', (given, title) => {
  expect(titleOfFile(given)).toBe(title)
})

test.each([
  ['naïve café.png', 'naïve-café'],
  ['Łódź Ørsted æß.png', 'Łódź-Ørsted-æß'],
  ['cafe\u0301.png', 'café'],
  ['../é.php.é.png', 'é.php_.é'],
  ['Sea View.png', ''],
  ['日本.png', ''],
])('the title of a body whose header names it %j is %j', (given, title) => {
  expect(portableTitleOfFile(given)).toBe(title)
})

describe('the name in Content-Disposition', () => {
  const utf8 = (text: string) => String.fromCharCode(...new TextEncoder().encode(text))
  test.each([
    ['attachment; filename="Sea View.png"', 'Sea View.png'],
    ['attachment; filename=my photo (2).png', 'my photo (2).png'],
    ['attachment; filename=a.png; size=3', 'a.png'],
    ['attachment; size=3; filename = "a;b.png"', 'a;b.png'],
    ['attachment; name="x; filename=wrong.png"; filename="right.png"', 'right.png'],
    ['attachment; filename="say \\"hi\\".png"', 'say "hi".png'],
    [`attachment; filename="x.png"; filename*=UTF-8''%E6%97%A5%E6%9C%AC.png`, '日本.png'],
    [`attachment; filename*=utf-8'en'na%C3%AFve%20caf%C3%A9.png; filename=x.png`, 'naïve café.png'],
    [`attachment; filename*=UTF-8''%ZZ.png; filename="x.png"`, 'x.png'],
    [`attachment; filename="${utf8('日本.png')}"`, '日本.png'],
    [`attachment; filename=${utf8('фото отпуск.png')}`, 'фото отпуск.png'],
    ['attachment; filename="caf\xe9.png"', 'café.png'],
    ['attachment; preview;; filename="a.png"', 'a.png'],
    [`attachment; filename*=UTF-8''%C3%83%C2%A9.png`, 'Ã©.png'],
    ['attachment', undefined],
    ['attachment; filename=""', undefined],
    ['attachment; filename= ', undefined],
  ])('%j', (header, name) => {
    expect(dispositionName(header)).toBe(name)
  })

  test('is that of no parameter whose quotes are open', () => {
    expect(dispositionName(`attachment${'; a="'.repeat(5000)}`)).toBeUndefined()
    expect(dispositionName(`attachment; filename="${'\\"'.repeat(5000)}`)).toBeUndefined()
  })
})
