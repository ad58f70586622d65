"""Spreadsheets: XLSX from its parts; XLS, XLSB and ODS through calamine."""
