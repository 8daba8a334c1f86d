//! What the definitions of a file say about types: parameters and fields of one type, types with a default.

use super::syntax::{is_default, type_name};
use std::collections::{HashMap, HashSet};
use syn::{FnArg, ImplItem, Item, Signature, TraitItem, Type};

/// Functions of the file whose first two parameters have the same type, by name.
#[derive(Default)]
pub(super) struct Signatures {
    /// name → (has a receiver, number of parameters without it); `None` once two definitions disagree.
    swappable: HashMap<String, Option<(bool, usize)>>,
    /// Field types of structs, by the struct's name.
    structs: HashMap<String, Vec<(String, Type)>>,
    /// Types that have a default, as far as this file says.
    pub(super) defaults: HashSet<String>,
}

impl Signatures {
    pub(super) fn collect(&mut self, items: &[Item]) {
        for item in items {
            match item {
                Item::Fn(f) => self.add(&f.sig),
                Item::Struct(s) => {
                    let fields = s.fields.iter().filter_map(|f| Some((f.ident.as_ref()?.to_string(), f.ty.clone())));
                    self.structs.insert(s.ident.to_string(), fields.collect());
                    self.note_default(&s.attrs, &s.ident);
                }
                Item::Enum(e) => self.note_default(&e.attrs, &e.ident),
                Item::Impl(i) if is_default(i) => {
                    self.defaults.insert(type_name(&i.self_ty));
                }
                Item::Impl(i) => i.items.iter().for_each(|item| {
                    if let ImplItem::Fn(f) = item {
                        self.add(&f.sig);
                    }
                }),
                Item::Trait(t) => t.items.iter().for_each(|item| {
                    if let TraitItem::Fn(f) = item {
                        self.add(&f.sig);
                    }
                }),
                Item::Mod(m) => {
                    if let Some((_, items)) = &m.content {
                        self.collect(items);
                    }
                }
                _ => {}
            }
        }
    }

    fn add(&mut self, sig: &Signature) {
        let types: Vec<&Type> = sig
            .inputs
            .iter()
            .filter_map(|input| match input {
                FnArg::Typed(typed) => Some(&*typed.ty),
                _ => None,
            })
            .collect();
        let receiver = sig.receiver().is_some();
        let plain = |ty: &Type| !matches!(ty, Type::ImplTrait(_));
        let shape = match types.as_slice() {
            [a, b, ..] if a == b && plain(a) => Some((receiver, types.len())),
            _ => None,
        };
        let entry = self.swappable.entry(sig.ident.to_string()).or_insert(shape);
        if *entry != shape {
            *entry = None;
        }
    }

    fn note_default(&mut self, attrs: &[syn::Attribute], name: &syn::Ident) {
        let derives = attrs.iter().filter(|attr| attr.path().is_ident("derive")).any(|attr| {
            attr.meta
                .require_list()
                .is_ok_and(|list| list.tokens.clone().into_iter().any(|t| t.to_string() == "Default"))
        });
        if derives {
            self.defaults.insert(name.to_string());
        }
    }

    /// The first two fields of a struct literal that have the same type and different values.
    pub(super) fn same_fields(&self, literal: &syn::ExprStruct) -> Option<[usize; 2]> {
        let fields = self.structs.get(&literal.path.segments.last()?.ident.to_string())?;
        let ty = |field: &syn::FieldValue| match &field.member {
            syn::Member::Named(name) => fields.iter().find(|(known, _)| name == known).map(|(_, ty)| ty),
            syn::Member::Unnamed(_) => None,
        };
        let types: Vec<Option<&Type>> = literal.fields.iter().map(ty).collect();
        (0..types.len()).find_map(|a| {
            let b = (a + 1..types.len()).find(|b| types[a].is_some() && types[a] == types[*b])?;
            (literal.fields[a].expr != literal.fields[b].expr).then_some([a, b])
        })
    }

    pub(super) fn swaps(&self, name: &str, method: bool, args: usize) -> bool {
        self.swappable.get(name).copied().flatten() == Some((method, args))
    }
}
