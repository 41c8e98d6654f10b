import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'

/** The files that bind use cases, each in a function `bind…`. */
export const bindings = ['identity/bind.ts', 'approvals/bind.ts', 'projects/bind.ts', 'countersign.ts'] as const

/** The functions of a binding that take a use case as their second argument. */
const binders = ['checked', 'shaped', 'ofAction', 'byCaller', 'byService']

/**
 * Puts the doc comment of each use case before its bound method in the emitted declarations. A host reads these comments in its
 * editor. The compiler cannot carry them over, because a bound method is a function of its own.
 */
export const documentMethods = (source: string, output: string): void => {
  for (const file of bindings) {
    const declarations = join(output, file.replace(/\.ts$/, '.d.ts'))
    const text = readFileSync(declarations, 'utf8')
    writeFileSync(declarations, documented(text, commentsOf(join(source, file))))
  }
}

/** The doc comment of each bound method of a file, by path such as `auth.login`; `undefined` for a method without a comment. */
export const commentsOf = (path: string): ReadonlyMap<string, string | undefined> => {
  const file = parse(path)
  const imported = new Map(file.statements.filter(ts.isImportDeclaration).flatMap(namesOf))
  const local = new Map<string, ts.Expression>()
  let bound: ts.ObjectLiteralExpression | undefined
  const bind = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression && ts.isObjectLiteralExpression(node.expression)) bound ??= node.expression
  }
  visit(file, (node) => {
    if (!ts.isVariableDeclaration(node) || !ts.isIdentifier(node.name) || !node.initializer) return
    local.set(node.name.text, node.initializer)
    if (node.name.text.startsWith('bind')) visit(node.initializer, bind)
  })

  const commentOfUseCase = (node: ts.Node): string | undefined => {
    if (ts.isCallExpression(node)) {
      const [, useCase] = node.arguments
      const binds = ts.isIdentifier(node.expression) && binders.includes(node.expression.text)
      return commentOfUseCase(binds && useCase ? useCase : node.expression)
    }
    if (ts.isArrowFunction(node)) return commentOfUseCase(node.body)
    if (!ts.isIdentifier(node)) return undefined
    const from = imported.get(node.text)
    if (from !== undefined) return commentOfExport(parse(join(dirname(path), from.path)), from.name)
    const value = local.get(node.text)
    return value && commentOfUseCase(value)
  }

  const comments = new Map<string, string | undefined>()
  const read = (object: ts.ObjectLiteralExpression, prefix: string): void => {
    for (const property of object.properties) {
      if (ts.isSpreadAssignment(property)) {
        const binder = ts.isCallExpression(property.expression) && imported.get(property.expression.expression.getText())
        const methods = binder ? commentsOf(join(dirname(path), binder.path)) : []
        for (const [name, comment] of methods) comments.set(prefix + name, comment)
      }
      if (!ts.isPropertyAssignment(property)) continue
      const name = prefix + property.name.getText()
      if (ts.isObjectLiteralExpression(property.initializer)) read(property.initializer, `${name}.`)
      else comments.set(name, ownComment(property) ?? commentOfUseCase(property.initializer))
    }
  }
  if (bound) read(bound, '')
  return comments
}

const documented = (declarations: string, comments: ReadonlyMap<string, string | undefined>): string => {
  const edits: { readonly at: number; readonly text: string }[] = []
  const write = (type: ts.TypeLiteralNode, prefix: string): void => {
    for (const member of type.members.filter(ts.isPropertySignature)) {
      const name = prefix + member.name.getText()
      const comment = comments.get(name)
      if (comment && !ownComment(member)) {
        const at = member.getStart()
        const indent = ' '.repeat(member.getSourceFile().getLineAndCharacterOfPosition(at).character)
        edits.push({ at, text: `${comment.replaceAll(/\n\s*/g, `\n${indent} `)}\n${indent}` })
      } else if (member.type && ts.isTypeLiteralNode(member.type)) write(member.type, `${name}.`)
    }
  }
  visit(parse('bind.d.ts', declarations), (node) => {
    if (ts.isFunctionTypeNode(node) && ts.isTypeLiteralNode(node.type) && ts.isVariableDeclaration(node.parent))
      write(node.type, '')
  })
  return edits.reduceRight((text, edit) => text.slice(0, edit.at) + edit.text + text.slice(edit.at), declarations)
}

const parse = (path: string, text = readFileSync(path, 'utf8')): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

const visit = (node: ts.Node, see: (node: ts.Node) => void): void => {
  see(node)
  ts.forEachChild(node, (child) => visit(child, see))
}

const namesOf = ({ importClause, moduleSpecifier }: ts.ImportDeclaration) => {
  const bindings = importClause?.namedBindings
  if (!bindings || !ts.isNamedImports(bindings) || !ts.isStringLiteral(moduleSpecifier)) return []
  const path = moduleSpecifier.text
  return bindings.elements.map(({ name, propertyName }) => [name.text, { path, name: (propertyName ?? name).text }] as const)
}

const ownComment = (node: ts.Node): string | undefined => ts.getJSDocCommentsAndTags(node).find(ts.isJSDoc)?.getText()

const commentOfExport = (file: ts.SourceFile, name: string): string | undefined => {
  let comment: string | undefined
  visit(file, (node) => {
    const declares = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)
    if (declares && node.name?.getText() === name) comment ??= ownComment(node)
  })
  return comment
}
