import type { Translations } from './definition.ts'
import { amountLabel, currencyLabel, words } from './labels.ts'

const quantity = words('Quantity', 'Menge', 'Quantité', 'Cantidad', 'الكمية')

/**
 * The labels of the members that payloads often have, by their exact name. A member of any other name has its name as a label, in
 * quotes. None of these labels is the label of a line about who asks, because the requester chooses which members there are.
 */
export const memberLabels: Readonly<Record<string, Translations>> = {
  amount: amountLabel,
  currency: currencyLabel,
  total: words('Total', 'Summe', 'Total', 'Total', 'الإجمالي'),
  price: words('Price', 'Preis', 'Prix', 'Precio', 'السعر'),
  unitPrice: words('Unit price', 'Stückpreis', 'Prix unitaire', 'Precio unitario', 'سعر الوحدة'),
  quantity,
  qty: quantity,
  unit: words('Unit', 'Einheit', 'Unité', 'Unidad', 'الوحدة'),
  sku: words('Article number', 'Artikelnummer', 'Numéro d’article', 'Número de artículo', 'رقم الصنف'),
  vat: words('VAT', 'MwSt.', 'TVA', 'IVA', 'ضريبة القيمة المضافة'),
  description: words('Description', 'Beschreibung', 'Description', 'Descripción', 'الوصف'),
  subject: words('Subject', 'Betreff', 'Objet', 'Asunto', 'الموضوع'),
  reference: words('Reference', 'Referenz', 'Référence', 'Referencia', 'المرجع'),
  purpose: words('Purpose', 'Verwendungszweck', 'Finalité', 'Finalidad', 'الغرض'),
  reason: words('Reason', 'Grund', 'Motif', 'Motivo', 'السبب'),
  note: words('Note', 'Notiz', 'Note', 'Nota', 'ملاحظة'),
  comment: words('Comment', 'Kommentar', 'Commentaire', 'Comentario', 'تعليق'),
  message: words('Message', 'Nachricht', 'Message', 'Mensaje', 'الرسالة'),
  iban: words('IBAN', 'IBAN', 'IBAN', 'IBAN', 'رقم الآيبان'),
  bic: words('BIC', 'BIC', 'BIC', 'BIC', 'رمز البنك (BIC)'),
  bank: words('Bank', 'Bank', 'Banque', 'Banco', 'البنك'),
  account: words('Account', 'Konto', 'Compte', 'Cuenta', 'الحساب'),
  accountNumber: words('Account number', 'Kontonummer', 'Numéro de compte', 'Número de cuenta', 'رقم الحساب'),
  invoice: words('Invoice', 'Rechnung', 'Facture', 'Factura', 'الفاتورة'),
  invoiceNumber: words('Invoice number', 'Rechnungsnummer', 'Numéro de facture', 'Número de factura', 'رقم الفاتورة'),
  orderNumber: words('Order number', 'Bestellnummer', 'Numéro de commande', 'Número de pedido', 'رقم الطلب'),
  dueDate: words('Due on', 'Fällig am', 'Échéance', 'Vencimiento', 'تاريخ الاستحقاق'),
  date: words('Date', 'Datum', 'Date', 'Fecha', 'التاريخ'),
  name: words('Name', 'Name', 'Nom', 'Nombre', 'الاسم'),
  email: words('E-mail', 'E-Mail', 'E-mail', 'Correo electrónico', 'البريد الإلكتروني'),
  phone: words('Telephone', 'Telefon', 'Téléphone', 'Teléfono', 'الهاتف'),
  address: words('Address', 'Adresse', 'Adresse', 'Dirección', 'العنوان'),
  customer: words('Customer', 'Kunde', 'Client', 'Cliente', 'العميل'),
  project: words('Project', 'Projekt', 'Projet', 'Proyecto', 'المشروع'),
  department: words('Department', 'Abteilung', 'Service', 'Departamento', 'القسم'),
  role: words('Role', 'Rolle', 'Rôle', 'Rol', 'الدور'),
  status: words('Status', 'Status', 'Statut', 'Estado', 'الحالة'),
  version: words('Version', 'Version', 'Version', 'Versión', 'الإصدار'),
  operation: words('Operation', 'Vorgang', 'Opération', 'Operación', 'العملية'),
  oldName: words('Old name', 'Alter Name', 'Ancien nom', 'Nombre anterior', 'الاسم السابق'),
  oldStatus: words('Old status', 'Alter Status', 'Ancien statut', 'Estado anterior', 'الحالة السابقة'),
  oldAmount: words('Old amount', 'Alter Betrag', 'Ancien montant', 'Importe anterior', 'المبلغ السابق'),
  userAgent: words('Program', 'Programm', 'Programme', 'Programa', 'البرنامج'),
  documentHash: words(
    'Fingerprint of the document',
    'Fingerabdruck des Dokuments',
    'Empreinte du document',
    'Huella del documento',
    'بصمة المستند',
  ),
}
