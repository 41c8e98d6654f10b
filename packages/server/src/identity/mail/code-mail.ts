import { directionOf, shippedLanguages } from '@countersign/contract/display'
import type { CodeDelivery } from '@countersign/core'

/** The content of a mail. Both parts say the same. */
export interface MailContent {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The facts for a mail with a code. The mail names nobody, because a stranger may have chosen the name. */
export interface CodeMail extends Pick<CodeDelivery, 'kind' | 'code' | 'expiresAt' | 'languages'> {
  /** The page that takes the code, with the code; `undefined` if there is no such page. */
  readonly link: string | undefined
}

/** Makes the mail of a code. A host brings its own to use its own words. */
export type CodeMailTemplate = (mail: CodeMail) => MailContent

interface Words {
  readonly subject: Readonly<Record<CodeDelivery['kind'], string>>
  readonly why: Readonly<Record<CodeDelivery['kind'], string>>
  readonly code: string
  readonly link: string
  readonly until: string
  readonly notYou: string
}

type Language = (typeof shippedLanguages)[number]

const words: Readonly<Record<Language, Words>> = {
  en: {
    subject: { forgot: 'Your code for a new password', invitation: 'Your invitation' },
    why: {
      forgot: 'Somebody asked for a new password for your account.',
      invitation: 'You can set the password of your account.',
    },
    code: 'Your code:',
    link: 'Or open this page, and set the password there:',
    until: 'The code works once, until',
    notYou: 'If it was not you, do nothing. Give the code to nobody.',
  },
  de: {
    subject: { forgot: 'Ihr Code für ein neues Passwort', invitation: 'Ihre Einladung' },
    why: {
      forgot: 'Jemand hat für Ihr Konto ein neues Passwort angefordert.',
      invitation: 'Sie können das Passwort Ihres Kontos festlegen.',
    },
    code: 'Ihr Code:',
    link: 'Oder öffnen Sie diese Seite und legen Sie das Passwort dort fest:',
    until: 'Der Code gilt einmal, bis',
    notYou: 'Wenn Sie das nicht waren, tun Sie nichts. Geben Sie den Code niemandem.',
  },
  fr: {
    subject: { forgot: 'Votre code pour un nouveau mot de passe', invitation: 'Votre invitation' },
    why: {
      forgot: 'Quelqu’un a demandé un nouveau mot de passe pour votre compte.',
      invitation: 'Vous pouvez définir le mot de passe de votre compte.',
    },
    code: 'Votre code :',
    link: 'Ou ouvrez cette page et définissez-y le mot de passe :',
    until: 'Le code est valable une seule fois, jusqu’au',
    notYou: 'Si ce n’était pas vous, ne faites rien. Ne donnez le code à personne.',
  },
  es: {
    subject: { forgot: 'Su código para una contraseña nueva', invitation: 'Su invitación' },
    why: {
      forgot: 'Alguien ha solicitado una contraseña nueva para su cuenta.',
      invitation: 'Puede establecer la contraseña de su cuenta.',
    },
    code: 'Su código:',
    link: 'O abra esta página y establezca allí la contraseña:',
    until: 'El código sirve una sola vez, hasta el',
    notYou: 'Si no fue usted, no haga nada. No dé el código a nadie.',
  },
  ar: {
    subject: { forgot: 'رمزك لكلمة مرور جديدة', invitation: 'دعوتك' },
    why: { forgot: 'طلب شخص ما كلمة مرور جديدة لحسابك.', invitation: 'يمكنك تعيين كلمة مرور حسابك.' },
    code: 'رمزك:',
    link: 'أو افتح هذه الصفحة وعيّن كلمة المرور هناك:',
    until: 'يعمل الرمز مرة واحدة حتى',
    notYou: 'إذا لم تكن أنت من طلب ذلك، فلا تفعل شيئًا. لا تعطِ الرمز لأحد.',
  },
}

const languageOf = (languages: readonly string[]): Language => {
  const primary = languages.map((tag) => tag.toLowerCase().split('-')[0])
  return primary.flatMap((asked) => shippedLanguages.filter((one) => one === asked))[0] ?? 'en'
}

const escaped = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)

/** Makes the mail of a code in a language of the client. Code and link have lines of their own, which no mail program breaks. */
export const codeMail: CodeMailTemplate = ({ kind, code, expiresAt, languages, link }) => {
  const language = languageOf(languages)
  const { subject, why, ...said } = words[language]
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'long', timeZone: 'UTC' }).format(expiresAt)
  const until = `${said.until} ${time}.`
  const text = [why[kind], '', said.code, code, ...(link === undefined ? [] : ['', said.link, link]), '', until, said.notYou, '']
  const paragraph = (content: string) => `<p>${content}</p>`
  const html = [
    '<!doctype html>',
    `<html lang="${language}" dir="${directionOf(language)}">`,
    '<meta charset="utf-8">',
    `<title>${escaped(subject[kind])}</title>`,
    paragraph(escaped(why[kind])),
    `<p>${escaped(said.code)}<br>`,
    `<strong dir="ltr">${code}</strong></p>`,
    ...(link === undefined
      ? []
      : [`<p>${escaped(said.link)}<br>`, `<a dir="ltr" href="${escaped(link)}">${escaped(link)}</a></p>`]),
    paragraph(escaped(until)),
    paragraph(escaped(said.notYou)),
    '</html>',
    '',
  ]
  return { subject: subject[kind], text: text.join('\n'), html: html.join('\n') }
}
